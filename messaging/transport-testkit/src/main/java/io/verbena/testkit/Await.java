// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for something to become true, with a deadline and a text for when it does not. */
public final class Await {

  /**
   * A bound against hanging: long enough for anything on a machine that has much else to do. No
   * test waits for it when all is well, and none takes it for a measure.
   */
  public static final Duration LONG = Duration.ofMinutes(3);

  private static final long POLL_NS = 500_000;

  private Await() {}

  /** Waits at most {@link #LONG}. */
  public static void until(String what, BooleanSupplier condition) {
    until(LONG, () -> what, condition);
  }

  /** Waits until the condition holds, else fails saying what was waited for. */
  public static void until(Duration limit, Supplier<String> what, BooleanSupplier condition) {
    long sinceNs = System.nanoTime();
    if (!holdsWithin(limit, condition)) {
      throw new AssertionError(whyNot(limit, System.nanoTime() - sinceNs) + ": " + what.get());
    }
  }

  /** An interrupt ends the wait at once: the limit would be the wrong thing to look at. */
  private static String whyNot(Duration limit, long waitedNs) {
    return Thread.currentThread().isInterrupted()
        ? "interrupted after " + waitedNs / 1_000_000 + " ms while waiting for"
        : "not within " + limit;
  }

  /** Waits until the condition holds; tells whether it did in time. */
  public static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return condition.getAsBoolean();
      }
      LockSupport.parkNanos(POLL_NS);
    }
    return true;
  }

  /** Lets time pass where the passing itself is the test: an idle wire. */
  public static void idle(Duration time) {
    holdsWithin(time, () -> false);
  }
}
