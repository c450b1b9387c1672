// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the pairs of two contestants say.
 *
 * @param kind the answer
 * @param interval of the median ratio; null if there were too few pairs for one
 * @param help where there is no answer, what would give one; else empty
 */
public record Verdict(Kind kind, @Nullable MedianInterval interval, String help) {

  /** The answers. */
  public enum Kind {
    /** The interval of the ratio lies on the better side of 1. */
    FASTER,
    /** It lies on the worse side. */
    SLOWER,
    /** It holds 1 and reaches no further from it than {@link #EQUAL_WITHIN}. */
    EQUAL,
    /** It says nothing, or what it was made of is no ground for a verdict. */
    NONE
  }

  /** Differences up to this are of no concern to who chooses between systems. */
  static final double EQUAL_WITHIN = 0.10;

  private static final double ROUNDING = 1e-9;

  /** More pairs than this are not worth their time. */
  private static final int MOST_PAIRS = 400;

  /**
   * Of the ratios of pairs.
   *
   * @param isLargeGood whether a ratio above 1 is better: of rates it is, of round trips it is not
   */
  static Verdict of(List<Double> ratios, boolean isLargeGood) {
    double[] values = ratios.stream().mapToDouble(Double::doubleValue).toArray();
    MedianInterval interval = MedianInterval.of(values);
    if (interval == null) {
      int least = MedianInterval.LEAST_VALUES;
      return none(null, "more pairs, at least %d: --repeat %d".formatted(least, least));
    }
    // Written so that a ratio that is no number has no verdict.
    if (interval.low() > 1) {
      return new Verdict(isLargeGood ? Kind.FASTER : Kind.SLOWER, interval, "");
    }
    if (interval.high() < 1) {
      return new Verdict(isLargeGood ? Kind.SLOWER : Kind.FASTER, interval, "");
    }
    return interval.reachFromOne() <= EQUAL_WITHIN
        ? new Verdict(Kind.EQUAL, interval, "")
        : none(interval, morePairs(values.length, interval.reachFromOne()));
  }

  /** None, and what would give one. */
  static Verdict none(@Nullable MedianInterval interval, String help) {
    return new Verdict(Kind.NONE, interval, help);
  }

  /** An interval narrows with the square root of the pairs. */
  private static String morePairs(int pairs, double reach) {
    double wanted = pairs * Math.pow(reach / EQUAL_WITHIN, 2);
    return wanted <= MOST_PAIRS
        ? "more pairs: --repeat %d".formatted(((int) wanted / 10 + 1) * 10)
        : "a quieter machine: the ratio differs too much from pair to pair";
  }

  /** As it stands in tables. */
  public String text() {
    return switch (kind) {
      case FASTER -> "faster";
      case SLOWER -> "slower";
      case EQUAL -> "equal within %d %%".formatted(reachPercent());
      case NONE -> "no verdict";
    };
  }

  private int reachPercent() {
    return interval == null
        ? 0
        : Math.max(1, (int) Math.ceil(100 * interval.reachFromOne() - ROUNDING));
  }

  /** The confidence of intervals, for people. */
  public static String level() {
    return String.format(Locale.ROOT, "%.0f %%", 100 * MedianInterval.LEVEL);
  }
}
