// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The median of some values, and an interval that holds the median of whatever they are drawn from,
 * whatever its distribution is: it reaches from the k-th smallest value to the k-th largest.
 *
 * <p>Each value lies below the true median with a chance of one half. So the interval misses it
 * only if fewer than k of n values lie on one side of it, which is twice the lower tail of a
 * binomial distribution. k is the largest one for which that chance is small enough. The values are
 * taken to be independent of each other; nothing is presumed of their distribution.
 *
 * @param low the k-th smallest value
 * @param median the middle one, or the mean of the two in the middle
 * @param high the k-th largest value
 * @param confidence the chance that such an interval holds the true median; at least what was asked
 */
public record MedianInterval(double low, double median, double high, double confidence) {

  /** With fewer values the chance of a miss stays above that of {@link #LEVEL}. */
  public static final int LEAST_VALUES = 6;

  /** The least confidence. */
  public static final double LEVEL = 0.95;

  /** Of values, in any order; null if they are fewer than {@link #LEAST_VALUES}. */
  public static @Nullable MedianInterval of(double... values) {
    if (values.length < LEAST_VALUES) {
      return null;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int rank = rank(n);
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return new MedianInterval(
        sorted[rank - 1], median, sorted[n - rank], 1 - 2 * tail(n, rank - 1));
  }

  /** The k of n values. */
  static int rank(int n) {
    int rank = 1;
    while (2 * tail(n, rank) <= 1 - LEVEL) {
      rank++;
    }
    return rank;
  }

  /** The chance that at most so many of n values lie below the median. */
  private static double tail(int n, int most) {
    double chance = Math.scalb(1.0, -n); // of none
    double sum = chance;
    for (int i = 1; i <= most; i++) {
      chance *= (double) (n - i + 1) / i;
      sum += chance;
    }
    return sum;
  }

  /** Whether a value lies in it. */
  boolean holds(double value) {
    return low <= value && value <= high;
  }

  /** How far from 1 it reaches, as a part of the smaller one: 0.1 for 1.1 as well as for 1/1.1. */
  double reachFromOne() {
    return Math.max(high, 1 / low) - 1;
  }
}
