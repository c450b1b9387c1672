// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * How long a receiving thread spins before it sleeps: what is configured, and more while its sleeps
 * turn out short.
 *
 * <p>Two nodes that answer each other sleep between messages once anything has held one of them up
 * for longer than a spin: from then on each message takes two wake-ups, which is longer than a
 * spin, too. So a sleep that was over before the longest spin would have been doubles the next
 * spin; a longer one shows that there is nothing to spin for.
 *
 * <p>Written by the holder of the receiving role; read by any thread, which may see an earlier
 * value.
 */
final class SpinTime {

  /** The longest spin, in configured ones. */
  static final int MOST = 16;

  /** A wake-up, some 50 µs, is nothing beside a longer sleep. */
  static final long WORTH_IT_NS = 1_000_000;

  private final long leastNs;
  private final long mostNs;
  private volatile long ns;

  SpinTime(long leastNs) {
    this.leastNs = leastNs;
    this.mostNs = Math.max(leastNs, Math.min(leastNs * MOST, WORTH_IT_NS));
    this.ns = leastNs;
  }

  long ns() {
    return ns;
  }

  /**
   * A sleep is over.
   *
   * @param limitNs how long it could have been: one that lasted so long was ended by nobody
   */
  void slept(long sleptNs, long limitNs) {
    long next = sleptNs < Math.min(mostNs, limitNs) ? Math.min(2 * ns, mostNs) : leastNs;
    if (next != ns) {
      ns = next;
    }
  }
}
