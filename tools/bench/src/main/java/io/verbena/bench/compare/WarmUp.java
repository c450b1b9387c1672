// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.verify.Tally;
import java.util.function.Consumer;

/**
 * The rounds of a contestant before those that count: until two in a row agree with each other and
 * with the best there was. Where two busy threads leave no core to the compiler the rate goes up
 * and down for seconds before it stays, and two rounds are soon found that are equally slow.
 *
 * @param tally what became of their messages
 * @param isSteady whether the last two did before the time was over, and not too soon
 * @param seconds how long they took
 */
public record WarmUp(Tally tally, boolean isSteady, double seconds) {

  /** Two figures agree if the larger one is at most this much larger. */
  static final double AGREEMENT = 0.10;

  /**
   * Code that is compiled while it runs is slow and steady before its compiler begins: for so long
   * agreement says nothing.
   */
  private static final double LEAST_SECONDS_COMPILED_LATE = 2;

  /** None at all. */
  static final WarmUp NONE = new WarmUp(Tally.NONE, false, 0);

  /**
   * Runs them.
   *
   * @param roundSeconds how long a round is; it is one of those that will count
   * @param mostSeconds after this time the next round counts, whatever the last two said
   * @param onRound is told of each: what became of messages counts even if the next round fails
   */
  static WarmUp of(
      RunningContestant contestant,
      double roundSeconds,
      double mostSeconds,
      Consumer<Sample> onRound)
      throws InterruptedException {
    double least = contestant.description().isWarmedUpSoon() ? 0 : LEAST_SECONDS_COMPILED_LATE;
    long startNs = System.nanoTime();
    Tally tally = contestant.connecting();
    double last = 0;
    double best = 0;
    boolean isSteady = false;
    double seconds = 0;
    while (seconds < mostSeconds && !(isSteady && seconds >= least)) {
      Sample sample = contestant.round(Math.round(roundSeconds * 1e9));
      onRound.accept(sample);
      tally = tally.plus(sample.tally());
      double speed = sample.speed();
      best = Math.max(best, speed);
      isSteady = agree(last, speed) && agree(best, Math.min(last, speed));
      last = speed;
      seconds = (System.nanoTime() - startNs) / 1e9;
    }
    return new WarmUp(tally, isSteady && seconds >= least, seconds);
  }

  static boolean agree(double a, double b) {
    return Math.min(a, b) > 0 && Math.max(a, b) <= Math.min(a, b) * (1 + AGREEMENT);
  }
}
