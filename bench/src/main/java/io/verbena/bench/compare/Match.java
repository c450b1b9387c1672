// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import java.util.ArrayList;
import java.util.List;

/** One contest over one wire: Verbena runs throughout, and beside it one challenger at a time. */
final class Match {

  private final Comparison comparison;
  private final Contest contest;
  private final String baselineName;
  private final RunningContestant baseline;
  private final Outcome outcome;
  private final int firstLine;
  private final List<Sample> baselineSamples = new ArrayList<>();
  private final WarmUp baselineWarmUp;
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
    this.baselineName = baselineName;
    this.baseline = baseline;
    this.outcome = outcome;
    this.firstLine = outcome.pairings().size();
    this.baselineWarmUp = WarmUp.of(baseline, comparison.seconds(), warmUpSeconds);
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
  void pairWith(String name, RunningContestant challenger, double warmUpSeconds)
      throws InterruptedException {
    WarmUp warmUp = WarmUp.of(challenger, comparison.seconds(), warmUpSeconds);
    List<Sample> mine = new ArrayList<>();
    List<Sample> theirs = new ArrayList<>();
    try {
      for (int i = 0; i < comparison.repeat(); i++) {
        boolean isMineFirst = i % 2 == 0;
        Sample first = isMineFirst ? baselineRound() : round(challenger);
        Sample second = isMineFirst ? round(challenger) : baselineRound();
        mine.add(isMineFirst ? first : second);
        theirs.add(isMineFirst ? second : first);
      }
    } finally {
      note(name, mine, theirs, warmUp);
    }
  }

  private Sample baselineRound() throws InterruptedException {
    hasBaselineFailed = true; // until it has not
    Sample sample = round(baseline);
    hasBaselineFailed = false;
    return sample;
  }

  private Sample round(RunningContestant one) throws InterruptedException {
    Sample sample = one.round(Math.round(comparison.seconds() * 1e9));
    if (!(sample.figure() > 0)) {
      String text = "of %d messages in a round too few came to be timed: more --seconds";
      throw new BenchException(text.formatted(sample.messages()));
    }
    return sample;
  }

  private void note(String name, List<Sample> mine, List<Sample> theirs, WarmUp warmUp) {
    if (!theirs.isEmpty()) {
      baselineSamples.addAll(mine);
      putBaseline();
      outcome.add(new Pairing(contest, name, baselineName, theirs, mine, warmUp));
    }
  }

  private void putBaseline() {
    Pairing line =
        new Pairing(
            contest, baselineName, baselineName, baselineSamples, List.of(), baselineWarmUp);
    outcome.putBaseline(firstLine, line);
  }

  /** Where nobody could be compared with it the baseline has rounds of its own. */
  void closeWithoutChallengers() throws InterruptedException {
    if (baselineSamples.isEmpty()) {
      for (int i = 0; i < comparison.repeat(); i++) {
        baselineSamples.add(baselineRound());
      }
      putBaseline();
    }
  }
}
