// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A point of the distribution of round trips.
 *
 * @param percentile so many of a hundred round trips were no longer
 * @param ns nanoseconds
 */
public record Percentile(double percentile, double ns) {

  /** Each tenth of what was left before has four or fewer points. */
  private static final double[] POINTS = {
    10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 99.995, 99.999
  };

  /** A percentile is told by ten round trips beyond it, or not at all. */
  private static final double MIN_BEYOND = 10;

  /** The points that a distribution has enough round trips for. */
  public static List<Percentile> of(Histogram histogram) {
    return Arrays.stream(POINTS)
        .filter(point -> histogram.getTotalCount() * (100 - point) / 100 >= MIN_BEYOND)
        .mapToObj(point -> new Percentile(point, histogram.getValueAtPercentile(point)))
        .toList();
  }
}
