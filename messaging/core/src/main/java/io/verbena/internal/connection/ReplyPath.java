// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.Origin;
import io.verbena.internal.codec.InboundOrigin;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An {@link Origin} of its own: one message's way back, for any thread and any time. */
public final class ReplyPath implements InboundOrigin {

  private final Session session;
  private final boolean inner; // came by the peer's inner lane
  private final int typeId;
  private final int length; // of the message's body
  private final boolean request;
  private final long correlation;
  private final AtomicBoolean answered;
  private volatile boolean retained;

  ReplyPath(
      Session session,
      boolean inner,
      int typeId,
      int length,
      boolean request,
      long correlation,
      boolean answered) {
    this.session = session;
    this.inner = inner;
    this.typeId = typeId;
    this.length = length;
    this.request = request;
    this.correlation = correlation;
    this.answered = new AtomicBoolean(answered);
  }

  @Override
  public int nodeId() {
    return session.peer();
  }

  @Override
  public boolean isRequest() {
    return request;
  }

  @Override
  public void reply(Record message) {
    claimAnswer();
    try {
      session.answers().reply(correlation, message);
    } catch (Throwable e) {
      answered.set(false); // a reply that failed leaves room for an error
      throw e;
    }
  }

  @Override
  public void replyError(String reason) {
    Objects.requireNonNull(reason, "reason");
    claimAnswer();
    session.answers().replyError(correlation, reason);
  }

  @Override
  public CompletableFuture<Void> forward(int to, Record message) {
    if (!request) {
      session.host().sendOn(to, message);
      return CompletableFuture.completedFuture(null);
    }
    claimAnswer();
    try {
      return session.host().requestOn(to, message).handle(this::passBack);
    } catch (Throwable e) {
      answered.set(false); // what could not be passed on leaves room for another answer
      throw e;
    }
  }

  private @Nullable Void passBack(@Nullable Record reply, @Nullable Throwable failure) {
    try {
      if (failure != null) {
        session.answers().replyError(correlation, Failures.describe(failure));
      } else {
        session.answers().reply(correlation, Objects.requireNonNull(reply));
      }
    } catch (RuntimeException | Error e) {
      session.answers().replyError(correlation, Failures.describe(e));
      throw e;
    }
    return null;
  }

  @Override
  public Origin retain() {
    return this;
  }

  /** The handler will answer later. */
  public void keep() {
    retained = true;
  }

  @Override
  public void handlerFailed(Throwable failure) {
    try {
      session.handlerFailed(typeId, failure);
    } finally {
      if (request && answered.compareAndSet(false, true)) {
        session.answers().replyError(correlation, Failures.describe(failure));
      }
    }
  }

  /** The handler has returned: a request it neither answered nor retained gets an error. */
  public void handlerReturned() {
    if (request && !retained && answered.compareAndSet(false, true)) {
      session
          .answers()
          .replyError(correlation, "the handler of type " + typeId + " returned no answer");
    }
  }

  /** Runs a handler's task for this message in a queue that bounds how many wait. */
  public void queued() {
    session.queuedOne(inner, length);
  }

  /** The queued message has been handled. */
  public void unqueued() {
    session.unqueuedOne(inner, length);
  }

  private void claimAnswer() {
    if (!request) {
      throw new IllegalStateException(
          "message of type " + typeId + " from node " + nodeId() + " is no request");
    }
    if (!answered.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "request " + correlation + " from node " + nodeId() + " is answered already");
    }
  }
}
