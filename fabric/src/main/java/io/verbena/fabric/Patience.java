// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * How a call waits: in C, for a slice of its time, between which it looks whether somebody closes.
 * A virtual thread would keep its carrier from others there, perhaps from the very one that it
 * waits for, so it tries and sleeps here.
 */
final class Patience {

  /** As long may a close have to wait. Each costs some short sleeps, with which C begins anew. */
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int YIELDS = 64;
  private static final long FIRST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LAST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private Patience() {}

  /**
   * Calls once more, until that does not say that it would block, or the time is over.
   *
   * @param once waits for so many nanoseconds at most, and throws if the wait is to end
   */
  static ChannelOutcome retry(Duration timeout, LongFunction<ChannelOutcome> once) {
    long endNs = System.nanoTime() + Calls.nanos(timeout);
    boolean isVirtual = Thread.currentThread().isVirtual();
    for (int tries = 0; ; tries++) {
      long leftNs = endNs - System.nanoTime();
      if (leftNs <= 0) {
        return ChannelOutcome.WOULD_BLOCK;
      }
      if (isVirtual) {
        step(tries, leftNs);
      }
      ChannelOutcome outcome = once.apply(isVirtual ? 0 : Math.min(leftNs, SLICE_NS));
      if (outcome != ChannelOutcome.WOULD_BLOCK) {
        return outcome;
      }
    }
  }

  /** Lets other virtual threads run, and then sleeps, longer each time. */
  private static void step(int tries, long leftNs) {
    if (tries < YIELDS) {
      Thread.yield();
    } else {
      int doublings = Math.min(tries - YIELDS, Long.SIZE / 4);
      Seat.nap(Math.min(leftNs, Math.min(FIRST_NAP_NS << doublings, LAST_NAP_NS)));
    }
  }
}
