// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.Origin;
import io.verbena.OtherViewHandler;
import io.verbena.ViewHandler;
import io.verbena.internal.codec.InboundOrigin;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.connection.Handling;
import io.verbena.internal.connection.ReplyPath;
import io.verbena.internal.connection.SinkTable;
import io.verbena.transport.Errands;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.Waiters;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Registers handlers: puts each one, wrapped as its {@link Execution} says, behind a sink. Types
 * without a handler of their own go to those for all others, if there are any.
 */
final class Handlers {

  /** Who hears of a message that was received and will not be handled. */
  @FunctionalInterface
  interface DropReport {
    void dropped(int peer, int typeId);
  }

  /** Makes the sink of a type; null if it is none for this type. */
  private interface SinkMaker {
    @Nullable MessageSink sinkOf(int typeId);
  }

  /** A handler that was registered, and the threads it has, null if it is inline. */
  private record Registered(SinkMaker maker, @Nullable Workers workers) {}

  /** The handlers of the node whose handler runs on this thread, not inline. */
  private static final ScopedValue<Handlers> RUNNING = ScopedValue.newInstance();

  private static final long GLANCE_NS = 100_000;

  private final int nodeId;
  private final TypeTable types;
  private final SinkTable sinks;
  private final DropReport report;
  private final Runnable handled;
  private final UnaryOperator<ThreadFactory> threads;
  private final AtomicInteger unfinished = new AtomicInteger(); // messages queued or being handled
  private final AtomicLong queued = new AtomicLong(); // messages that ever were

  // Guarded by this.
  private final Map<Integer, Registered> own = new HashMap<>(); // by type
  private @Nullable Registered others;
  private @Nullable Registered otherViews;
  private final List<Workers> allWorkers = new ArrayList<>(); // those included that retire

  private volatile boolean closed;

  /**
   * @param handled called after each message that was queued, whatever became of it
   */
  Handlers(int nodeId, TypeTable types, SinkTable sinks, DropReport report, Runnable handled) {
    this(nodeId, types, sinks, report, handled, UnaryOperator.identity());
  }

  /**
   * @param threads what stands between plain threads and the handlers that run in them
   */
  Handlers(
      int nodeId,
      TypeTable types,
      SinkTable sinks,
      DropReport report,
      Runnable handled,
      UnaryOperator<ThreadFactory> threads) {
    this.nodeId = nodeId;
    this.types = types;
    this.sinks = sinks;
    this.report = report;
    this.handled = handled;
    this.threads = threads;
  }

  int nodeId() {
    return nodeId;
  }

  // ---------------------------------------------------------------- registering

  /** Puts a handler in the place of the type's former one, which finishes what is queued for it. */
  <T extends Record> void register(
      MessageCodec codec, Execution execution, MessageHandler<? super T> handler) {
    int typeId = codec.typeId();
    Workers workers = workers(execution, "type-" + typeId);
    MessageSink sink = codec.sink(placed(typeId, workers, handler));
    registerOwn(typeId, new Registered(type -> sink, workers));
  }

  /** As above, for a handler of bytes. */
  void register(int typeId, Execution execution, ViewHandler handler) {
    Workers workers = workers(execution, "type-" + typeId);
    MessageSink sink = viewSink(typeId, workers, handler);
    registerOwn(typeId, new Registered(type -> sink, workers));
  }

  private synchronized void registerOwn(int typeId, Registered handler) {
    retire(own.put(typeId, handler));
    refresh(typeId);
  }

  /** For records whose type has no handler of its own. */
  synchronized void registerOthers(Execution execution, MessageHandler<? super Record> handler) {
    retire(others);
    Workers workers = workers(execution, "others");
    others =
        new Registered(
            typeId -> {
              MessageCodec codec = types.codec(typeId);
              return codec == null ? null : codec.sink(placed(typeId, workers, handler));
            },
            workers);
    types.ids().forEach(this::refresh);
  }

  /** For bytes of types that have no other handler. */
  synchronized void registerOtherViews(Execution execution, OtherViewHandler handler) {
    retire(otherViews);
    Workers workers = workers(execution, "other-views");
    otherViews =
        new Registered(
            typeId ->
                viewSink(
                    typeId,
                    workers,
                    (segment, offset, length, from) ->
                        handler.handle(typeId, segment, offset, length, from)),
            workers);
    types.ids().forEach(this::refresh);
  }

  /** Takes a type's own handler away; it finishes what is queued for it. */
  synchronized void remove(int typeId) {
    retire(own.remove(typeId));
    refresh(typeId);
  }

  /** Takes those for all others away. */
  synchronized void removeOthers() {
    retire(others);
    retire(otherViews);
    others = null;
    otherViews = null;
    types.ids().forEach(this::refresh);
  }

  /** Under the lock: puts the sink in place that holds for a type now. */
  private void refresh(int typeId) {
    sinks.put(typeId, sinkOf(typeId));
  }

  private @Nullable MessageSink sinkOf(int typeId) {
    Registered mine = own.get(typeId);
    if (mine != null) {
      return mine.maker().sinkOf(typeId);
    }
    MessageSink sink = others == null ? null : others.maker().sinkOf(typeId);
    return sink != null || otherViews == null ? sink : otherViews.maker().sinkOf(typeId);
  }

  private static void retire(@Nullable Registered former) {
    if (former != null && former.workers() != null) {
      former.workers().retire();
    }
  }

  // ---------------------------------------------------------------- running

  private synchronized @Nullable Workers workers(Execution execution, String whose) {
    Workers workers =
        Workers.of(execution, "verbena-" + nodeId + "-" + whose + "-handler-", this::marked);
    allWorkers.removeIf(Workers::haveEnded);
    if (workers != null) {
      allWorkers.add(workers);
    }
    return workers;
  }

  private ThreadFactory marked(ThreadFactory plain) {
    ThreadFactory made = threads.apply(plain);
    return task ->
        made.newThread(() -> ScopedValue.where(RUNNING, this).run(() -> Handling.run(task)));
  }

  /** Whether a handler of this node runs on the calling thread, in a pool or a virtual one. */
  boolean runHere() {
    return RUNNING.isBound() && RUNNING.get() == this;
  }

  private <T extends Record> MessageHandler<? super T> placed(
      int typeId, @Nullable Workers workers, MessageHandler<? super T> handler) {
    return workers == null
        ? handler
        : (message, from) -> hand(workers, typeId, from, origin -> handler.handle(message, origin));
  }

  private MessageSink viewSink(int typeId, @Nullable Workers workers, ViewHandler handler) {
    return new ViewSink(
        workers == null
            ? handler
            : (segment, offset, length, from) -> {
              MemorySegment copy = copy(segment, offset, length);
              hand(workers, typeId, from, origin -> handler.handle(copy, 0, length, origin));
            });
  }

  /** The bytes in an array of their own, which lies as aligned as they do in a lane. */
  private static MemorySegment copy(MemorySegment segment, long offset, int length) {
    MemorySegment copy = MemorySegment.ofArray(new long[(length + 7) / 8]);
    MemorySegment.copy(segment, offset, copy, 0, length);
    return copy;
  }

  private void hand(Workers workers, int typeId, Origin origin, HandlerTask.Work work) {
    ReplyPath from = (ReplyPath) origin.retain();
    HandlerTask task = new HandlerTask(this, typeId, from, work);
    from.queued();
    unfinished.getAndIncrement();
    queued.getAndIncrement();
    boolean taken;
    try {
      taken = tryExecute(workers, from.nodeId(), task);
    } catch (RuntimeException | Error e) { // no thread could be started, for want of memory say
      task.done();
      throw e;
    }
    if (!taken) {
      task.drop();
    }
  }

  /** Returns false if the node closes and no handler runs any more. */
  private boolean tryExecute(Workers workers, int source, HandlerTask task) {
    try {
      workers.execute(source, task);
    } catch (RejectedExecutionException e) {
      if (closed) {
        return false;
      }
      // Another handler took this one's place just now.
      marked(Thread.ofVirtual().factory()).newThread(task).start();
    }
    return true;
  }

  /** A message has been handled or dropped. */
  void done() {
    unfinished.getAndDecrement();
    handled.run();
  }

  void dropped(int peer, int typeId) {
    report.dropped(peer, typeId);
  }

  // ---------------------------------------------------------------- the end

  /** Whether messages are queued or being handled. */
  boolean areBusy() {
    return unfinished.get() > 0;
  }

  /** How many messages were ever queued. */
  long queuedSoFar() {
    return queued.get();
  }

  /** Waits until every message that was queued has been handled, or the time is over. */
  void finish(long untilNs) {
    while (areBusy() && System.nanoTime() - untilNs < 0) {
      Waiters.pause(this, GLANCE_NS);
    }
  }

  /**
   * Ends all handler threads: what is queued is dropped, what runs is interrupted.
   *
   * @return whether anything was dropped
   */
  boolean close() {
    List<Runnable> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      allWorkers.forEach(workers -> left.addAll(workers.stop()));
    }
    if (!left.isEmpty()) {
      drop(left);
    }
    return !left.isEmpty();
  }

  /** On a thread that never waits: a peer that reads nothing must not hold the end up. */
  private static void drop(List<Runnable> tasks) {
    Thread dropping =
        Errands.ownThread(
            "verbena-drop",
            () -> {
              ProgressLoop.neverWait();
              tasks.forEach(task -> ((HandlerTask) task).drop());
            });
    dropping.start();
    boolean interrupted = false;
    while (dropping.isAlive()) {
      try {
        dropping.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hands bytes on as they are. */
  private static final class ViewSink extends MessageSink {
    private final ViewHandler handler;

    ViewSink(ViewHandler handler) {
      this.handler = handler;
    }

    @Override
    public void accept(MemorySegment segment, long offset, int length, InboundOrigin origin) {
      try {
        handler.handle(segment, offset, length, origin);
      } catch (Throwable e) { // a handler's failure is its own: the connection goes on
        origin.handlerFailed(e);
      }
    }
  }
}
