// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import io.verbena.bench.Percentile;
import io.verbena.bench.plan.SizeText;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;

/** What stands at the horizontal axes, and where. */
final class Axes {

  /** The title of the one with message sizes. */
  static final String SIZE = "bytes of a message";

  /** The title of the one with percentiles. */
  static final String PERCENTILE = "percentile";

  private Axes() {}

  /** A size; nothing where a power of ten is none. */
  static String size(double bytes) {
    return bytes < 1 ? "" : SizeText.format((int) Math.round(bytes));
  }

  /** A whole number; nothing in between. */
  static String whole(double number) {
    return number == Math.rint(number) ? Integer.toString((int) number) : "";
  }

  /**
   * A percentile: one in ten is slower than the 90th.
   *
   * @param oneIn its {@link #distribution place} on a logarithmic axis
   */
  static String percentile(double oneIn) {
    // Not shared: such a format is for one thread.
    DecimalFormat form =
        new DecimalFormat("0.####'%'", DecimalFormatSymbols.getInstance(Locale.ROOT));
    return oneIn < 1 ? "" : form.format(100 - 100 / oneIn);
  }

  /** A line through percentiles: each step has a tenth of the messages of the one before. */
  static Curve distribution(String name, List<Percentile> points) {
    Curve curve = new Curve(name);
    points.forEach(point -> curve.point(100 / (100 - point.percentile()), point.ns()));
    return curve;
  }
}
