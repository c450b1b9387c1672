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

  private static final int CLOCKLESS_ROUNDS = 32;

  private int rounds;
  private long sinceNs;

  /** There was work, or a rest: what comes next begins anew. */
  void reset() {
    rounds = 0;
  }

  /** Whether other threads are to have the core between rounds. */
  boolean yields() {
    return rounds > CLOCKLESS_ROUNDS;
  }

  /** One more round was idle; returns whether it has been spinning for longer than given. */
  boolean isLongerThan(long spinNs) {
    if (++rounds == CLOCKLESS_ROUNDS) {
      sinceNs = System.nanoTime();
    }
    return rounds > CLOCKLESS_ROUNDS && System.nanoTime() - sinceNs > spinNs;
  }
}
