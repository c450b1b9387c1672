// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranks are those of published tables of the sign test; the rest are properties. */
class MedianIntervalTest {

  private static final int TRIALS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "6, 1, 0.96875",
    "8, 1, 0.9921875",
    "9, 2, 0.9609375",
    "10, 2, 0.978515625",
    "15, 4, 0.96484",
    "20, 6, 0.95861",
    "21, 6, 0.97340",
    "25, 8, 0.95671",
    "50, 18, 0.96716",
    "100, 40, 0.96480"
  })
  void ranksAndConfidenceAreThoseOfTheBinomialDistribution(int n, int rank, double confidence) {
    double[] values = IntStream.rangeClosed(1, n).asDoubleStream().toArray();
    MedianInterval interval = MedianInterval.of(values);
    assertThat(interval.low()).isEqualTo(rank);
    assertThat(interval.high()).isEqualTo(n + 1 - rank);
    assertThat(interval.median()).isEqualTo((n + 1) / 2.0);
    assertThat(interval.confidence()).isCloseTo(confidence, within(1e-5));
  }

  @Test
  void tooFewValuesHaveNone() {
    assertThat(MedianInterval.of(1, 2, 3, 4, 5)).isNull();
    assertThat(MedianInterval.of()).isNull();
    assertThat(MedianInterval.of(1, 2, 3, 4, 5, 6)).isNotNull();
  }

  @Test
  void theOrderOfValuesDoesNotMatterAndTheyStayAsTheyAre() {
    double[] values = {3, 1, 2, 6, 5, 4};
    assertThat(MedianInterval.of(values)).isEqualTo(MedianInterval.of(1, 2, 3, 4, 5, 6));
    assertThat(values).containsExactly(3, 1, 2, 6, 5, 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 7, 21, 100, 1000})
  void moreValuesKeepTheLevelAndNarrowTheInterval(int n) {
    double[] values = IntStream.rangeClosed(1, n).asDoubleStream().toArray();
    MedianInterval interval = MedianInterval.of(values);
    assertThat(interval.confidence()).isGreaterThanOrEqualTo(MedianInterval.LEVEL);
    assertThat(interval.high() - interval.low()).isLessThan(Math.max(6, 2.6 * Math.sqrt(n)));
  }

  @Test
  void itHoldsTheTrueMedianAsOftenAsItSaysWhateverTheDistribution() {
    assertCoverage(Random::nextGaussian, 0);
    assertCoverage(random -> Math.exp(2 * random.nextGaussian()), 1);
    assertCoverage(random -> -Math.log(1 - random.nextDouble()), Math.log(2));
    assertCoverage(random -> Math.tan(Math.PI * (random.nextDouble() - 0.5)), 0); // has no mean
    // A machine that is five times as slow in one round of three.
    assertCoverage(random -> (random.nextInt(3) == 0 ? 0.2 : 1) * (1 + random.nextDouble()), 1.25);
  }

  private static void assertCoverage(ToDoubleFunction<Random> draw, double trueMedian) {
    Random random = new Random(7);
    int held = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] values = DoubleStream.generate(() -> draw.applyAsDouble(random)).limit(21).toArray();
      held += MedianInterval.of(values).holds(trueMedian) ? 1 : 0;
    }
    // 21 values: 0.9734; five standard deviations of the share are 0.0057.
    assertThat((double) held / TRIALS).isBetween(0.967, 0.980);
  }

  @Test
  void itScalesAndTurnsWithItsValues() {
    double[] values = new Random(8).doubles(21, 0.5, 2).toArray();
    MedianInterval interval = MedianInterval.of(values);
    MedianInterval tripled = MedianInterval.of(DoubleStream.of(values).map(v -> 3 * v).toArray());
    MedianInterval inverse = MedianInterval.of(DoubleStream.of(values).map(v -> 1 / v).toArray());
    assertThat(tripled.low()).isEqualTo(3 * interval.low());
    assertThat(tripled.high()).isEqualTo(3 * interval.high());
    assertThat(inverse.low()).isEqualTo(1 / interval.high());
    assertThat(inverse.high()).isEqualTo(1 / interval.low());
  }
}
