// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.verify.Tally;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * The rounds before the first that counts. They end when the compilers of the contestant's JVMs
 * have had nothing to do for a while and two rounds in a row agree, or when their time is over.
 *
 * @param tally what became of their messages, those that connected the processes included
 * @param warmth how it ended
 * @param seconds how long it took
 */
public record WarmUp(Tally tally, Warmth warmth, double seconds) {

  /** How a warm-up ended. */
  public enum Warmth {
    /** Compilation had ended, and two rounds agreed. */
    SETTLED,
    /** Compilation had ended, but no two rounds agreed in its time: rounds differ by themselves. */
    RESTLESS,
    /** Its time was over while compilers were at work: what follows is slower than it would be. */
    COLD
  }

  /** Two figures agree if the larger one is at most this much larger. */
  static final double AGREEMENT = 0.10;

  /**
   * Two rounds that are this much slower than the fastest one say nothing: code that has just been
   * thrown away runs slowly, and steadily, until it is compiled again.
   */
  static final double MUCH_SLOWER = 0.7;

  /** Compilers that use more than this share of a processor are at work. */
  static final double COMPILER_SHARE = 0.05;

  /** Compilers that have nothing to do for so long are done: code is compiled in several steps. */
  static final double QUIET_SECONDS = 1;

  /** None at all. */
  static final WarmUp NONE = new WarmUp(Tally.NONE, Warmth.COLD, 0);

  /** Whether what follows is as fast as it will be. */
  public boolean isWarm() {
    return warmth != Warmth.COLD;
  }

  /**
   * Runs them.
   *
   * @param roundSeconds how long a round is; it is one of those that will count
   * @param mostSeconds after this time the next round counts, whatever the last ones said
   * @param clock seconds
   * @param onRound is told of each: what became of messages counts even if the next round fails
   */
  static WarmUp of(
      RunningContestant contestant,
      double roundSeconds,
      double mostSeconds,
      DoubleSupplier clock,
      Consumer<Sample> onRound)
      throws InterruptedException {
    Rounds rounds = new Rounds(contestant.description().isCompiledAhead());
    double startSeconds = clock.getAsDouble();
    Tally tally = contestant.connecting();
    double seconds = 0;
    while (seconds < mostSeconds && rounds.warmth() != Warmth.SETTLED) {
      Sample sample = contestant.round(Math.round(roundSeconds * 1e9));
      double before = seconds;
      seconds = clock.getAsDouble() - startSeconds;
      onRound.accept(sample);
      tally = tally.plus(sample.tally());
      rounds.add(sample, seconds - before);
    }
    return new WarmUp(tally, rounds.warmth(), seconds);
  }

  static boolean agree(double a, double b) {
    return Math.min(a, b) > 0 && Math.max(a, b) <= Math.min(a, b) * (1 + AGREEMENT);
  }

  /** What the rounds so far say. */
  private static final class Rounds {
    private final boolean isCompiledAhead;
    private double quietSeconds;
    private double last;
    private double best;
    private boolean isAgreed;

    Rounds(boolean isCompiledAhead) {
      this.isCompiledAhead = isCompiledAhead;
    }

    void add(Sample sample, double seconds) {
      boolean isQuiet = sample.compilerSeconds() <= COMPILER_SHARE * seconds;
      quietSeconds = isQuiet ? quietSeconds + seconds : 0;
      double speed = sample.speed();
      best = Math.max(best, speed);
      isAgreed = agree(last, speed) && Math.min(last, speed) >= best * MUCH_SLOWER;
      last = speed;
    }

    Warmth warmth() {
      if (!isCompiledAhead && quietSeconds < QUIET_SECONDS) {
        return Warmth.COLD;
      }
      return isAgreed ? Warmth.SETTLED : Warmth.RESTLESS;
    }
  }
}
