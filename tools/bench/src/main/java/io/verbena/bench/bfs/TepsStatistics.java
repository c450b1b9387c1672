// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import java.util.Arrays;

/**
 * Statistics of repeated searches, as the specification's output has them.
 *
 * @param min the least value
 * @param firstQuartile a quarter of the values lies below
 * @param median a half lies below
 * @param thirdQuartile three quarters lie below
 * @param max the greatest value
 * @param mean of rates the harmonic mean, else the arithmetic one
 * @param deviation of the values; of rates the standard error of the harmonic mean
 */
public record TepsStatistics(
    double min,
    double firstQuartile,
    double median,
    double thirdQuartile,
    double max,
    double mean,
    double deviation) {

  /** Of times or counts. */
  public static TepsStatistics of(double... values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double deviation = values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
    return of(values, mean, deviation);
  }

  /** Of rates: harmonic mean and its error, after Norris 1940, as the specification asks. */
  public static TepsStatistics ofRates(double... values) {
    double[] inverses = Arrays.stream(values).map(value -> 1 / value).toArray();
    double inverse = Arrays.stream(inverses).average().orElseThrow();
    double squares = Arrays.stream(inverses).map(x -> (x - inverse) * (x - inverse)).sum();
    double error =
        values.length < 2 ? 0 : Math.sqrt(squares) / (values.length - 1) / (inverse * inverse);
    return of(values, 1 / inverse, error);
  }

  private static TepsStatistics of(double[] values, double mean, double deviation) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new TepsStatistics(
        sorted[0],
        quantile(sorted, 0.25),
        quantile(sorted, 0.5),
        quantile(sorted, 0.75),
        sorted[sorted.length - 1],
        mean,
        deviation);
  }

  /** Interpolates between the two nearest. */
  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
