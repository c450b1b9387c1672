// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.Spread;
import io.verbena.bench.compare.MedianInterval;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Something measured in rounds.
 *
 * @param what it is
 * @param sizeBytes of one operation or message
 * @param way what carries it
 * @param unit of the values
 * @param values one of each round
 * @param partner what was measured in turn with it; null for nothing
 */
public record Figure(
    String what,
    long sizeBytes,
    String way,
    Unit unit,
    List<Double> values,
    @Nullable Partner partner) {

  /**
   * What stands beside it.
   *
   * @param what it is
   * @param values one for each round of the figure, in the same unit
   */
  public record Partner(String what, List<Double> values) {

    public Partner {
      values = List.copyOf(values);
    }

    /** The median of its rounds, and how far they lie apart. */
    public Spread value() {
      return Spread.of(values, Double::doubleValue);
    }
  }

  /** Checks that there are rounds, and that they are paired. */
  public Figure {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException(what + " has no rounds");
    }
    if (partner != null && partner.values().size() != values.size()) {
      String text = "%s has %d rounds, and %s beside it %d";
      throw new IllegalArgumentException(
          text.formatted(what, values.size(), partner.what(), partner.values().size()));
    }
  }

  /** The median of the rounds, and how far they lie apart. */
  public Spread value() {
    return Spread.of(values, Double::doubleValue);
  }

  /** The ratio of each pair, to the partner; none without one. */
  public List<Double> ratios() {
    return pairs((own, other) -> own / other);
  }

  /** By how much each is more than its partner. */
  List<Double> differences() {
    return pairs((own, other) -> own - other);
  }

  /** The interval of the median ratio; null without a partner, or with too few pairs. */
  public @Nullable MedianInterval interval() {
    return MedianInterval.of(ratios().stream().mapToDouble(Double::doubleValue).toArray());
  }

  private interface OfPair {
    double apply(double own, double other);
  }

  private List<Double> pairs(OfPair what) {
    if (partner == null) {
      return List.of();
    }
    return IntStream.range(0, values.size())
        .mapToObj(i -> what.apply(values.get(i), partner.values().get(i)))
        .toList();
  }
}
