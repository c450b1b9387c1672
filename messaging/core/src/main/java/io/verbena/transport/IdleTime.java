// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * The rounds since a receiving thread last found work. The first ones look at no clock; then the
 * time of spinning begins, with a look at the clock in each round, and the thread spins only as
 * long as no other thread wants its core: where they outnumber the cores, a sender that has to wait
 * for the spinning to end costs more than the spinning saves.
 *
 * <p>Of one thread.
 */
final class IdleTime {

  /**
   * So many rounds follow each other at once: a pause takes as long as a round does, and an answer
   * may be there by then.
   */
  private static final int AT_ONCE = 64;

  private final int looks;
  private int rounds;
  private long sinceNs;

  /**
   * @param looks how many rounds look at no clock and leave no other thread the core
   */
  IdleTime(int looks) {
    this.looks = looks;
  }

  /** There was work, or a rest: what comes next begins anew. */
  void reset() {
    rounds = 0;
  }

  /** Whether the thread is to pause before the next round, for one that shares its core. */
  boolean pauses() {
    return rounds >= AT_ONCE;
  }

  /** Whether other threads are to have the core before the next round. */
  boolean yields() {
    return rounds >= looks;
  }

  /** One more round was idle; returns whether it has been spinning for longer than given. */
  boolean isLongerThan(long spinNs) {
    if (rounds++ < looks) {
      return false;
    }
    long nowNs = System.nanoTime();
    if (rounds == looks + 1) {
      sinceNs = nowNs;
    }
    return nowNs - sinceNs > spinNs;
  }
}
