// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * The median of repeated measurements, and how far they lie apart.
 *
 * @param min the smallest
 * @param median the middle one, or the mean of the two in the middle
 * @param max the largest
 */
public record Spread(double min, double median, double max) {

  /**
   * The spread of some values.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values have no median");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1]);
  }

  /** The spread of one figure of some things. */
  public static <T> Spread of(Collection<T> things, ToDoubleFunction<T> figure) {
    return of(things.stream().mapToDouble(figure).toArray());
  }
}
