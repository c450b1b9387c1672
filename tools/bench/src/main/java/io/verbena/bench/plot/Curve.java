// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import io.verbena.bench.Spread;
import java.util.ArrayList;
import java.util.List;

/** One system's line in a plot. */
public final class Curve {

  private final String name;
  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();
  private final List<Double> leasts = new ArrayList<>();
  private final List<Double> greatests = new ArrayList<>();

  /** Starts a line. */
  public Curve(String name) {
    this.name = name;
  }

  /** Adds a point without a bar. */
  public Curve point(double x, double y) {
    return point(x, new Spread(y, y, y));
  }

  /** Adds a point at the median, with a bar from the least to the greatest. */
  public Curve point(double x, Spread y) {
    xs.add(x);
    ys.add(y.median());
    leasts.add(y.min());
    greatests.add(y.max());
    return this;
  }

  /** Whether there is nothing to draw. */
  boolean isEmpty() {
    return xs.isEmpty();
  }

  String name() {
    return name;
  }

  double[] xs() {
    return array(xs);
  }

  double[] ys() {
    return array(ys);
  }

  double[] leasts() {
    return array(leasts);
  }

  double[] greatests() {
    return array(greatests);
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
