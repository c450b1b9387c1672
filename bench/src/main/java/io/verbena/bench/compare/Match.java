// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** One contest over one wire: Verbena runs throughout, and beside it one challenger at a time. */
final class Match {

  private final Comparison comparison;
  private final Contest contest;
  private final Side baseline;
  private final Outcome outcome;
  private final int firstLine;
  private boolean hasBaselineFailed;

  /**
   * Warms the baseline up.
   *
   * @param outcome where the lines go
   */
  Match(
      Comparison comparison,
      Contest contest,
      String baselineName,
      RunningContestant baseline,
      double warmUpSeconds,
      Outcome outcome)
      throws InterruptedException {
    this.comparison = comparison;
    this.contest = contest;
    this.outcome = outcome;
    this.firstLine = outcome.pairings().size();
    this.baseline = new Side(baselineName, baseline, comparison.seconds(), warmUpSeconds);
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
    Side challenger = new Side(name, running, comparison.seconds(), warmUpSeconds);
    List<Sample> mine = new ArrayList<>();
    try {
      for (int i = 0; i < comparison.repeat(); i++) {
        boolean isMineFirst = i % 2 == 0;
        Sample first = isMineFirst ? baselineRound() : challenger.round();
        Sample second = isMineFirst ? challenger.round() : baselineRound();
        mine.add(isMineFirst ? first : second);
        baseline.count(isMineFirst ? first : second);
        challenger.count(isMineFirst ? second : first);
      }
    } finally {
      note(challenger, mine);
    }
  }

  private Sample baselineRound() throws InterruptedException {
    hasBaselineFailed = true; // until it has not
    Sample sample = baseline.round();
    hasBaselineFailed = false;
    return sample;
  }

  private void note(Side challenger, List<Sample> mine) {
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
    } else if (hasBaselineFailed && !challenger.tally().isClean()) {
      // Without a line of its own nobody would see it.
      String wrongs = CompareText.wrongs(challenger.tally());
      outcome.add(new Outcome.Failure(challenger.name(), contest, wrongs));
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
