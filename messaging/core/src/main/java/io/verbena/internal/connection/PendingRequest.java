// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.RequestTimeoutException;
import io.verbena.UnexpectedReplyException;
import io.verbena.VerbenaException;
import io.verbena.transport.ProgressLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits: to be sent, then for its answer. Its time runs from its making. Whoever
 * completes it, also from outside, frees its slot in the {@link RequestTable}.
 *
 * @param <R> the reply type asked for
 */
public final class PendingRequest<R extends Record> extends CompletableFuture<R>
    implements BooleanSupplier {

  private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 2; // deadlines are compared by sign

  private final RequestTable table;
  private final Connection connection;
  private final Class<R> replyType;
  private final long timeoutNs;
  private final long deadlineNs;
  private long id;

  /** What keeps the request from being sent; null once it is sent, or if nothing did. */
  private volatile @Nullable String obstacle;

  /** By the sending thread: the request was over before it could be sent. */
  private boolean neverSent;

  /** Makes a request; {@link RequestTable#add} opens it. */
  public PendingRequest(
      RequestTable table, Connection connection, Class<R> replyType, long timeoutNs) {
    this.table = table;
    this.connection = connection;
    this.replyType = replyType;
    this.timeoutNs = timeoutNs;
    this.deadlineNs = System.nanoTime() + Math.min(timeoutNs, MAX_TIMEOUT_NS);
  }

  /** The correlation id, once {@link RequestTable#add} has given it. */
  public long id() {
    return id;
  }

  /** Set before the request is published in its slot. */
  void id(long newId) {
    id = newId;
  }

  /** Who the request went to. */
  public Connection connection() {
    return connection;
  }

  /** How long it has been under way. */
  public long ageNs() {
    return System.nanoTime() - deadlineNs + Math.min(timeoutNs, MAX_TIMEOUT_NS);
  }

  /** When to give up, by {@link System#nanoTime}. */
  public long deadlineNs() {
    return deadlineNs;
  }

  // ---------------------------------------------------------------- before it is sent

  /**
   * Whether it must not be sent any more: it has an outcome, or gets it here as its time is over or
   * the calling thread is interrupted.
   *
   * @param why it could not be sent yet
   */
  boolean isOver(String why) {
    obstacle = why; // the node's clock may be the first to see that the time is over
    neverSent = isOverNow(why);
    return neverSent;
  }

  private boolean isOverNow(String why) {
    if (isDone()) {
      return true;
    }
    if (leftNs() <= 0) {
      timeOut();
      return true;
    }
    if (Thread.currentThread().isInterrupted()) {
      fail(new InterruptedException("the request was not sent, " + why));
      return true;
    }
    return false;
  }

  /**
   * Something keeps it from being sent, before anybody asks whether it is over: the node's clock
   * may see that first.
   */
  void heldUpBy(String why) {
    obstacle = why;
  }

  /**
   * Nobody waits to send it any more: it is in the lane or a backlog, or over. Then whoever has
   * seen that first may still be about to say why.
   */
  void sent() {
    if (obstacle != null && !neverSent) {
      obstacle = null;
    }
  }

  /** The time it still has, 0 or less if that is over. */
  long leftNs() {
    return deadlineNs - System.nanoTime();
  }

  // ---------------------------------------------------------------- outcomes

  /** Completes with what came; only by who took it from the table. */
  void answer(Record reply) {
    if (replyType.isInstance(reply)) {
      super.complete(replyType.cast(reply));
    } else {
      super.completeExceptionally(
          new UnexpectedReplyException(
              "node "
                  + connection.peer()
                  + " replied with "
                  + reply.getClass().getName()
                  + " where "
                  + replyType.getName()
                  + " was asked for"));
    }
  }

  /** Its time is over. */
  public void timeOut() {
    RequestTimeoutException timedOut = timedOut(); // first: without heap it is tried again
    if (table.remove(this)) { // else an answer was faster
      connection.host().metrics().requestTimedOut();
      super.completeExceptionally(timedOut);
      connection.host().wakeReceivers();
    }
  }

  private RequestTimeoutException timedOut() {
    String unsent = obstacle;
    return new RequestTimeoutException(
        "no reply from node "
            + connection.peer()
            + " within "
            + TimeUnit.NANOSECONDS.toMillis(timeoutNs)
            + " ms"
            + (unsent == null ? "" : ": the request was not sent, " + unsent));
  }

  /** It could not be sent, or cannot be answered any more. */
  void fail(Throwable cause) {
    if (table.remove(this)) {
      connection.host().metrics().requestFailed();
    }
    super.completeExceptionally(cause);
    connection.host().wakeReceivers();
  }

  // Who completes it from outside wants no answer any more. A late reply is dropped and counted.

  @Override
  public boolean complete(@Nullable R value) {
    table.remove(this);
    return super.complete(value);
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    table.remove(this);
    return super.completeExceptionally(cause);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    table.remove(this);
    return super.cancel(mayInterruptIfRunning);
  }

  @Override
  public CompletableFuture<R> completeAsync(Supplier<? extends R> supplier, Executor executor) {
    executor.execute(() -> completeWith(supplier));
    return this;
  }

  private void completeWith(Supplier<? extends R> supplier) {
    if (isDone()) {
      return;
    }
    try {
      complete(supplier.get());
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  @Override
  public CompletableFuture<R> completeAsync(Supplier<? extends R> supplier) {
    return completeAsync(supplier, defaultExecutor());
  }

  @Override
  public void obtrudeValue(@Nullable R value) {
    table.remove(this);
    super.obtrudeValue(value);
  }

  @Override
  public void obtrudeException(Throwable cause) {
    table.remove(this);
    super.obtrudeException(cause);
  }

  /** What is derived from this future is a plain one. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  // ---------------------------------------------------------------- waiting for the answer

  /** Whether there is an outcome. */
  @Override
  public boolean getAsBoolean() {
    return isDone();
  }

  /** Waits for the outcome; a platform thread helps to receive meanwhile. */
  public R await() throws InterruptedException {
    ProgressLoop progress = connection.progress();
    if (progress != null && !Thread.currentThread().isVirtual()) {
      progress.helpUntil(this, deadlineNs);
    }
    try {
      return awaitOutcome();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private R awaitOutcome() throws InterruptedException, ExecutionException {
    try {
      return isDone() ? get() : get(Math.max(0, leftNs()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      timeOut();
      super.completeExceptionally(timedOut()); // who took it from the table may be held up
      return get();
    } catch (InterruptedException e) {
      cancel(false);
      throw e;
    }
  }

  private static RuntimeException failure(@Nullable Throwable cause) throws InterruptedException {
    return switch (cause) {
      case RuntimeException failure -> failure;
      case InterruptedException interrupted -> {
        Thread.interrupted(); // told by the exception from here on
        throw interrupted;
      }
      case null, default -> new VerbenaException(String.valueOf(cause), cause);
    };
  }
}
