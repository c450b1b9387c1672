// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.RequestTable;
import org.jspecify.annotations.Nullable;

/** Requests without a connection: the table only compares it. */
final class Requests {

  /** The answer to any request. */
  record Answer(int number) {}

  private static final @Nullable Connection NOWHERE = null;

  private Requests() {}

  @SuppressWarnings("NullAway") // the table only compares it
  static PendingRequest<Answer> open(RequestTable table) {
    PendingRequest<Answer> request = new PendingRequest<>(table, NOWHERE, Answer.class, 0);
    table.add(request);
    return request;
  }

  @SuppressWarnings("NullAway") // the table only compares it
  static @Nullable PendingRequest<?> take(RequestTable table, long id) {
    return table.take(id, NOWHERE);
  }
}
