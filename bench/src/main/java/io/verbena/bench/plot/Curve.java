// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import java.util.ArrayList;
import java.util.List;

/** One system's line in a plot. */
public final class Curve {

  private final String name;
  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();
  private final List<Double> errors = new ArrayList<>();

  /** Starts a line. */
  public Curve(String name) {
    this.name = name;
  }

  /** Adds a point; the error bar reaches as far up as down. */
  public Curve point(double x, double y, double error) {
    // A bar that reached zero would have no end on a logarithmic axis.
    xs.add(x);
    ys.add(y);
    errors.add(Math.min(error, y * 0.9));
    return this;
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

  double[] errors() {
    return array(errors);
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
