// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.List;
import org.HdrHistogram.Histogram;

/** Round-trip times in nanoseconds. */
public record RoundTrips(double mean, double p50, double p95, double p99, double p999, double max) {

  /** The figures of a histogram. */
  public static RoundTrips of(Histogram histogram) {
    return new RoundTrips(
        histogram.getMean(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(95),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getMaxValue());
  }

  /** The median of each figure, but the largest maximum. */
  public static RoundTrips median(List<RoundTrips> rounds) {
    return new RoundTrips(
        Spread.of(rounds, RoundTrips::mean).median(),
        Spread.of(rounds, RoundTrips::p50).median(),
        Spread.of(rounds, RoundTrips::p95).median(),
        Spread.of(rounds, RoundTrips::p99).median(),
        Spread.of(rounds, RoundTrips::p999).median(),
        Spread.of(rounds, RoundTrips::max).max());
  }
}
