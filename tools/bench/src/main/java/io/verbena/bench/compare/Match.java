// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.control.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** One contest over one wire: Verbena runs throughout, and beside it one challenger at a time. */
final class Match {

  private final Comparison comparison;
  private final Contest contest;
  private final Side baseline;
  private final DoubleSupplier coresNs;
  private final Outcome outcome;
  private final int firstLine;
  private boolean hasBaselineFailed;

  /**
   * Of a baseline.
   *
   * @param coresNs tells how far apart processors are
   * @param outcome where the lines go
   */
  Match(
      Comparison comparison,
      Contest contest,
      String baselineName,
      RunningContestant baseline,
      DoubleSupplier coresNs,
      Outcome outcome) {
    this.comparison = comparison;
    this.contest = contest;
    this.outcome = outcome;
    this.firstLine = outcome.pairings().size();
    this.coresNs = coresNs;
    this.baseline = new Side(baselineName, baseline, comparison.seconds(), coresNs);
  }

  /** Warms the baseline up. */
  void warmUp(double mostSeconds) throws InterruptedException {
    baseline.warmUp(mostSeconds);
  }

  Contest contest() {
    return contest;
  }

  /** Whether it was the baseline that failed: then nobody can be compared with it any more. */
  boolean hasBaselineFailed() {
    return hasBaselineFailed;
  }

  /**
   * Runs the rounds of a challenger, each beside one of the baseline; who goes first changes from
   * pair to pair. What was measured before a failure counts too.
   */
  void pairWith(String name, RunningContestant running, double warmUpSeconds)
      throws InterruptedException {
    Side challenger = new Side(name, running, comparison.seconds(), coresNs);
    List<Sample> mine = new ArrayList<>();
    boolean hasFailed = false;
    try {
      challenger.warmUp(warmUpSeconds);
      pair(challenger, mine);
    } catch (BenchException e) {
      hasFailed = !hasBaselineFailed;
      throw e;
    } finally {
      note(challenger, mine, hasFailed);
    }
  }

  private void pair(Side challenger, List<Sample> mine) throws InterruptedException {
    for (int i = 0; i < comparison.repeat(); i++) {
      boolean isMineFirst = i % 2 == 0;
      Sample first = isMineFirst ? baselineRound() : challenger.round();
      Sample second = isMineFirst ? challenger.round() : baselineRound();
      mine.add(isMineFirst ? first : second);
      baseline.count(isMineFirst ? first : second);
      challenger.count(isMineFirst ? second : first);
    }
  }

  private Sample baselineRound() throws InterruptedException {
    hasBaselineFailed = true; // until it has not
    Sample sample = baseline.round();
    hasBaselineFailed = false;
    return sample;
  }

  /**
   * Adds the line of a challenger.
   *
   * @param hasFailed whether it was the challenger that ended it: its failure is told with all that
   *     went wrong before
   */
  private void note(Side challenger, List<Sample> mine, boolean hasFailed) {
    putBaseline();
    if (!mine.isEmpty()) {
      outcome.add(
          new Pairing(
              contest,
              challenger.name(),
              baseline.name(),
              challenger.paired(),
              mine,
              challenger.warmUp(),
              baseline.warmUp(),
              challenger.unpairedTally()));
    } else if (!hasFailed) {
      tellWrongs(challenger);
    }
  }

  /** Of who has no line of its own: nobody would see it else. */
  private void tellWrongs(Side side) {
    if (!side.tally().isClean()) {
      String wrongs = side.tally().wrongs();
      outcome.add(new Outcome.Failure(side.name(), contest, wrongs));
    }
  }

  private void putBaseline() {
    if (!baseline.paired().isEmpty()) {
      outcome.putBaseline(
          firstLine,
          new Pairing(
              contest,
              baseline.name(),
              baseline.name(),
              baseline.paired(),
              List.of(),
              baseline.warmUp(),
              WarmUp.NONE,
              baseline.unpairedTally()));
    }
  }

  /** Where nobody could be compared with it the baseline has rounds of its own. */
  void closeWithoutChallengers() throws InterruptedException {
    if (!baseline.paired().isEmpty()) {
      return;
    }
    try {
      for (int i = 0; i < comparison.repeat(); i++) {
        baseline.count(baselineRound());
      }
    } finally {
      putBaseline();
    }
  }
}
