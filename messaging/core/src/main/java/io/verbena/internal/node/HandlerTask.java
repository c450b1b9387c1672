// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.Origin;
import io.verbena.internal.connection.ReplyPath;
import io.verbena.internal.event.SlowHandlerEvent;
import java.util.concurrent.CompletableFuture;

/** One message on its way through its handler's queue: it is handled or dropped, once. */
final class HandlerTask implements Runnable {

  /** What there is to do with the message. */
  @FunctionalInterface
  interface Work {
    void handle(Origin from) throws Exception;
  }

  private final Handlers handlers;
  private final int typeId;
  private final ReplyPath from;
  private final Work work;

  HandlerTask(Handlers handlers, int typeId, ReplyPath from, Work work) {
    this.handlers = handlers;
    this.typeId = typeId;
    this.from = from;
    this.work = work;
  }

  @Override
  public void run() {
    try {
      if (SlowHandlerEvent.isOn()) {
        handleTimed();
      } else {
        work.handle(new QueuedOrigin(from));
      }
    } catch (Throwable e) { // a handler's failure is its own: the thread goes on
      from.handlerFailed(e);
    } finally {
      try {
        from.handlerReturned();
      } finally { // there may be no memory for the answer
        done();
      }
    }
  }

  private void handleTimed() throws Exception {
    SlowHandlerEvent event = SlowHandlerEvent.start();
    try {
      work.handle(new QueuedOrigin(from));
    } finally {
      SlowHandlerEvent.finish(event, handlers.nodeId(), from.nodeId(), typeId);
    }
  }

  /** The node closes before the handler's turn: who has asked is told. */
  void drop() {
    try {
      if (from.isRequest()) {
        from.replyError("node " + handlers.nodeId() + " closed before the request was handled");
      }
      handlers.dropped(from.nodeId(), typeId);
    } finally {
      done();
    }
  }

  /** The message waits no more, whatever became of it. */
  void done() {
    from.unqueued();
    handlers.done();
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
    public CompletableFuture<Void> forward(int to, Record message) {
      return path.forward(to, message);
    }

    @Override
    public Origin retain() {
      path.keep();
      return path;
    }
  }
}
