// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.transport.ProgressLoop;

/**
 * Whether a thread runs a handler now. What a handler asks of others must not wait behind messages
 * that wait for handlers, or two nodes whose handlers call each other would wait for ever.
 */
public final class Handling {

  /** Bound while a handler runs, for what it forks in a scope of its own, too. */
  private static final ScopedValue<Boolean> IN_POOL = ScopedValue.newInstance();

  private Handling() {}

  /** Runs a handler on the calling thread, which does not receive. */
  public static void run(Runnable handler) {
    ScopedValue.where(IN_POOL, true).run(handler);
  }

  /** Whether the calling thread runs a handler, or another thread's work that must not wait. */
  static boolean isUnderWay() {
    return ProgressLoop.currentThreadReceives() || IN_POOL.isBound();
  }
}
