// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.Origin;
import io.verbena.ViewHandler;
import io.verbena.internal.codec.InboundOrigin;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.connection.Handling;
import io.verbena.internal.connection.ReplyPath;
import io.verbena.internal.connection.SinkTable;
import io.verbena.internal.event.SlowHandlerEvent;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;

/** Registers handlers: puts each one, wrapped as its {@link Execution} says, behind a sink. */
final class Handlers {

  private final int nodeId;
  private final SinkTable sinks;
  private final Map<Integer, List<ExecutorService>> executors = new HashMap<>(); // by type
  private volatile boolean closed;

  Handlers(int nodeId, SinkTable sinks) {
    this.nodeId = nodeId;
    this.sinks = sinks;
  }

  /** Puts a handler in the place of the type's former one, which finishes what is queued for it. */
  <T extends Record> void register(
      MessageCodec codec, Execution execution, MessageHandler<? super T> handler) {
    int typeId = codec.typeId();
    List<ExecutorService> workers = workers(typeId, execution);
    MessageHandler<? super T> placed =
        workers.isEmpty()
            ? handler
            : (message, from) ->
                hand(
                    workers.get(from.nodeId() % workers.size()),
                    typeId,
                    handler,
                    message,
                    (ReplyPath) from.retain());
    put(typeId, codec.sink(placed), workers);
  }

  void register(int typeId, ViewHandler handler) {
    put(typeId, new ViewSink(handler), List.of());
  }

  private synchronized void put(int typeId, MessageSink sink, List<ExecutorService> workers) {
    sinks.put(typeId, sink);
    List<ExecutorService> former = executors.put(typeId, workers);
    if (former != null) {
      former.forEach(ExecutorService::shutdown);
    }
  }

  /** Ends all handler threads; what is queued is dropped. */
  synchronized void close() {
    closed = true;
    for (List<ExecutorService> workers : executors.values()) {
      workers.forEach(ExecutorService::shutdownNow);
    }
  }

  /**
   * Who runs a type's handler, none if it runs inline. A pool is a row of single threads, so that a
   * source, always on the same one, keeps its order.
   */
  private List<ExecutorService> workers(int typeId, Execution execution) {
    String name = "verbena-" + nodeId + "-type-" + typeId + "-handler-";
    return switch (execution) {
      case Execution.Inline inline -> List.of();
      case Execution.Pool pool ->
          IntStream.range(0, pool.threads())
              .mapToObj(i -> Thread.ofPlatform().daemon().name(name + i).factory())
              .map(Executors::newSingleThreadExecutor)
              .toList();
      case Execution.Virtual virtual ->
          List.of(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory()));
    };
  }

  private <T extends Record> void hand(
      ExecutorService executor,
      int typeId,
      MessageHandler<? super T> handler,
      T message,
      ReplyPath from) {
    from.queued();
    try {
      executor.execute(() -> Handling.run(() -> run(typeId, handler, message, from)));
    } catch (RejectedExecutionException e) {
      if (closed) {
        from.unqueued();
      } else { // another handler took this one's place just now
        Thread.startVirtualThread(() -> Handling.run(() -> run(typeId, handler, message, from)));
      }
    }
  }

  private <T extends Record> void run(
      int typeId, MessageHandler<? super T> handler, T message, ReplyPath from) {
    try {
      if (SlowHandlerEvent.isOn()) {
        handleTimed(typeId, handler, message, from);
      } else {
        handler.handle(message, new QueuedOrigin(from));
      }
    } catch (Throwable e) { // a handler's failure is its own: the thread goes on
      from.handlerFailed(e);
    } finally {
      from.handlerReturned();
      from.unqueued();
    }
  }

  private <T extends Record> void handleTimed(
      int typeId, MessageHandler<? super T> handler, T message, ReplyPath from) throws Exception {
    SlowHandlerEvent event = SlowHandlerEvent.start();
    try {
      handler.handle(message, new QueuedOrigin(from));
    } finally {
      SlowHandlerEvent.finish(event, nodeId, from.nodeId(), typeId);
    }
  }

  /** Knows whether the handler kept it: then the answer may come later. */
  private record QueuedOrigin(ReplyPath path) implements Origin {
    @Override
    public int nodeId() {
      return path.nodeId();
    }

    @Override
    public boolean isRequest() {
      return path.isRequest();
    }

    @Override
    public void reply(Record message) {
      path.reply(message);
    }

    @Override
    public void replyError(String reason) {
      path.replyError(reason);
    }

    @Override
    public java.util.concurrent.CompletableFuture<Void> forward(int to, Record message) {
      return path.forward(to, message);
    }

    @Override
    public Origin retain() {
      path.keep();
      return path;
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
