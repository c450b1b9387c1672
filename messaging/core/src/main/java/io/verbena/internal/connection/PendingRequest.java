// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.UnexpectedReplyException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A request that waits for its answer.
 *
 * @param <R> the reply type asked for
 */
public final class PendingRequest<R extends Record> extends CompletableFuture<R>
    implements BooleanSupplier {

  private final RequestTable table;
  private final Connection connection;
  private final Class<R> replyType;
  private final long deadlineNs;
  private long id;

  /**
   * @param deadlineNs by {@link System#nanoTime}
   */
  public PendingRequest(
      RequestTable table, Connection connection, Class<R> replyType, long deadlineNs) {
    this.table = table;
    this.connection = connection;
    this.replyType = replyType;
    this.deadlineNs = deadlineNs;
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

  /** When to give up, by {@link System#nanoTime}. */
  public long deadlineNs() {
    return deadlineNs;
  }

  /** Completes with what came; only by who took it from the table. */
  void answer(Record reply) {
    if (replyType.isInstance(reply)) {
      complete(replyType.cast(reply));
    } else {
      completeExceptionally(
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

  /** Forgets the request; a late reply is dropped and counted. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    table.remove(this);
    return super.cancel(mayInterruptIfRunning);
  }

  /** Whether there is an outcome. */
  @Override
  public boolean getAsBoolean() {
    return isDone();
  }

  /** What is derived from this future is a plain one. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
