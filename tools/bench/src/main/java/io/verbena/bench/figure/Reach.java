// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.Figures;
import io.verbena.bench.Spread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a figure is to come to. The median decides.
 *
 * @param of what of the figure is looked at
 * @param side whether it is to be that much or that little
 * @param limit in the figure's unit; a ratio has none
 */
public record Reach(Of of, Side side, double limit) {

  /** What of a figure. */
  public enum Of {
    /** The value itself. */
    VALUE,
    /** Its ratio to what stands beside it. */
    RATIO,
    /** By how much it is more than that. */
    DIFFERENCE
  }

  /** On which side of the limit it is good. */
  public enum Side {
    /** No less than that. */
    LEAST,
    /** No more than that. */
    MOST
  }

  /** Whether a figure comes to it; null if it has nothing beside it where that is asked. */
  public @Nullable Boolean isReachedBy(Figure figure) {
    List<Double> values =
        switch (of) {
          case VALUE -> figure.values();
          case RATIO -> figure.ratios();
          case DIFFERENCE -> figure.differences();
        };
    if (values.isEmpty()) {
      return null;
    }
    double median = Spread.of(values, Double::doubleValue).median();
    return side == Side.LEAST ? median >= limit : median <= limit;
  }

  /** For people: {@code ≤ 150 ns}, {@code ≥ 0.85 × memcpy}. */
  String text(Figure figure) {
    String sign = side == Side.LEAST ? "≥ " : "≤ ";
    Figure.Partner partner = figure.partner();
    String beside = partner == null ? "?" : partner.what();
    return sign
        + switch (of) {
          case VALUE -> figure.unit().format(limit);
          case RATIO -> Figures.digits(limit) + " × " + beside;
          case DIFFERENCE -> beside + " + " + figure.unit().format(limit);
        };
  }
}
