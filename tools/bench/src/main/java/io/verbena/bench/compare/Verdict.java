// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.Spread;

/** What the pairs of a contest say together, seen from the contestant. */
public enum Verdict {
  /** Better than Verbena in every pair. */
  BETTER("better"),
  /** Worse than Verbena in every pair. */
  WORSE("worse"),
  /** Better in some pairs, worse in others, and about as good in the middle. */
  EVEN("even"),
  /**
   * The pairs say nothing: too few, too far apart, of rounds that had not settled or went wrong.
   */
  NONE("no verdict");

  /** Fewer pairs say nothing. */
  static final int LEAST_PAIRS = 5;

  /** The largest ratio may be this many times the smallest. */
  static final double MOST_APART = 1.5;

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** As it stands in tables. */
  public String text() {
    return text;
  }

  /**
   * Of the ratios of pairs, whose rounds had settled and lost nothing.
   *
   * @param isLargeGood whether a ratio above 1 is better: of rates it is, of round trips it is not
   */
  static Verdict of(Spread ratio, int pairs, boolean isLargeGood) {
    // Written so that a ratio that is no number has no verdict.
    if (pairs < LEAST_PAIRS || !(ratio.max() <= ratio.min() * MOST_APART)) {
      return NONE;
    }
    if (ratio.min() > 1) {
      return isLargeGood ? BETTER : WORSE;
    }
    if (ratio.max() < 1) {
      return isLargeGood ? WORSE : BETTER;
    }
    return WarmUp.agree(1, ratio.median()) ? EVEN : NONE;
  }
}
