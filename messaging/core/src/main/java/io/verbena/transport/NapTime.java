// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * How long the loop's own thread keeps away while others receive in its place. Each time it looks
 * whether it is needed it takes the core from a thread that is at work; where it stays away,
 * messages wait that come when nobody helps any more, for two naps at most: the one in which the
 * last helper left, and one more if there were many before it.
 *
 * <p>Of one thread.
 */
final class NapTime {

  static final long LEAST_NS = 50_000;

  /** While helpers come now and then. */
  static final long MOST_NS = 200_000;

  /** While one helper has the role for long, perhaps asleep; it may leave without a word. */
  static final long BESIDE_ONE_NS = 1_000_000;

  /** While {@link #MANY_HELPS} or more a nap come: each receives what has come before it. */
  static final long BESIDE_MANY_NS = 2_000_000;

  static final int MANY_HELPS = 16;

  private long nextNs = LEAST_NS;

  /** The loop's thread was needed. */
  void worked() {
    nextNs = LEAST_NS;
  }

  /** The next nap, as so many waits with help have begun since the last one. */
  long afterHelps(int helps) {
    return doubling(helps >= MANY_HELPS ? BESIDE_MANY_NS : MOST_NS);
  }

  /** The next nap, as a helper has the role. */
  long whileHelped() {
    return doubling(BESIDE_ONE_NS);
  }

  private long doubling(long mostNs) {
    long ns = Math.min(nextNs, mostNs);
    nextNs = 2 * ns;
    return ns;
  }
}
