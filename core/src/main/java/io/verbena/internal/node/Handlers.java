// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Execution;
import io.verbena.MessageHandler;
import io.verbena.Origin;
import io.verbena.ViewHandler;
import io.verbena.internal.codec.InboundOrigin;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.connection.ReplyPath;
import io.verbena.internal.connection.SinkTable;
import io.verbena.internal.event.SlowHandlerEvent;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** Registers handlers: puts each one, wrapped as its {@link Execution} says, behind a sink. */
final class Handlers {

  private final int nodeId;
  private final SinkTable sinks;
  private final List<ExecutorService> executors = new CopyOnWriteArrayList<>();

  Handlers(int nodeId, SinkTable sinks) {
    this.nodeId = nodeId;
    this.sinks = sinks;
  }

  <T extends Record> void register(
      MessageCodec codec, Execution execution, MessageHandler<? super T> handler) {
    MessageHandler<? super T> placed =
        switch (execution) {
          case Execution.Inline inline -> handler;
          case Execution.Pool pool -> pooled(codec.typeId(), pool.threads(), handler);
          case Execution.Virtual virtual -> onVirtualThreads(codec.typeId(), handler);
        };
    sinks.put(codec.typeId(), codec.sink(placed));
  }

  void register(int typeId, ViewHandler handler) {
    sinks.put(typeId, new ViewSink(handler));
  }

  /** Ends all handler threads; what is queued is dropped. */
  void close() {
    for (ExecutorService executor : executors) {
      executor.shutdownNow();
    }
  }

  /**
   * A pool is a row of single threads, so that a source, always on the same one, keeps its order.
   */
  private <T extends Record> MessageHandler<T> pooled(
      int typeId, int threads, MessageHandler<? super T> handler) {
    ExecutorService[] workers = new ExecutorService[threads];
    for (int i = 0; i < threads; i++) {
      String name = "verbena-" + nodeId + "-type-" + typeId + "-handler-" + i;
      ThreadFactory factory = Thread.ofPlatform().daemon().name(name).factory();
      workers[i] = Executors.newSingleThreadExecutor(factory);
      executors.add(workers[i]);
    }
    return (message, from) ->
        hand(workers[from.nodeId() % threads], typeId, handler, message, (ReplyPath) from.retain());
  }

  private <T extends Record> MessageHandler<T> onVirtualThreads(
      int typeId, MessageHandler<? super T> handler) {
    String name = "verbena-" + nodeId + "-type-" + typeId + "-handler-";
    ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
    executors.add(executor);
    return (message, from) -> hand(executor, typeId, handler, message, (ReplyPath) from.retain());
  }

  private <T extends Record> void hand(
      ExecutorService executor,
      int typeId,
      MessageHandler<? super T> handler,
      T message,
      ReplyPath from) {
    from.queued();
    try {
      executor.execute(() -> run(typeId, handler, message, from));
    } catch (RejectedExecutionException e) {
      from.unqueued(); // the node is closing
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
