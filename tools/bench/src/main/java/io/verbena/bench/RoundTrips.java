// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Round-trip times in nanoseconds. */
public record RoundTrips(double mean, double p50, double p95, double p99, double p999, double max) {

  /** Every figure under its name in reports, in their order. */
  public static final Map<String, ToDoubleFunction<RoundTrips>> FIGURES = figures();

  private static Map<String, ToDoubleFunction<RoundTrips>> figures() {
    Map<String, ToDoubleFunction<RoundTrips>> figures = new LinkedHashMap<>();
    figures.put("mean", RoundTrips::mean);
    figures.put("p50", RoundTrips::p50);
    figures.put("p95", RoundTrips::p95);
    figures.put("p99", RoundTrips::p99);
    figures.put("p999", RoundTrips::p999);
    figures.put("max", RoundTrips::max);
    return Collections.unmodifiableMap(figures);
  }

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
}
