// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

  @ParameterizedTest
  @CsvSource({
    "1.01 1.02 1.05 1.2 1.3 1.4, true,  faster",
    "1.01 1.02 1.05 1.2 1.3 1.4, false, slower",
    "0.7 0.72 0.8 0.9 0.95 0.99, true,  slower",
    "0.7 0.72 0.8 0.9 0.95 0.99, false, faster",
    "0.97 0.98 1 1 1.01 1.04,    true,  equal within 4 %",
    "0.92 0.98 1 1 1.01 1.04,    false, equal within 9 %",
    "1 1 1 1 1 1,                true,  equal within 1 %",
    "0.8 0.98 1 1 1.01 1.04,     true,  no verdict",
    "1 1 1 1 1 NaN,              true,  no verdict",
    "1 1 1 1 1 Infinity,         true,  no verdict",
    "2 2 2 2 2,                  true,  no verdict"
  })
  void followsFromTheIntervalOfTheMedian(String ratios, boolean isLargeGood, String text) {
    assertThat(Verdict.of(of(ratios), isLargeGood).text()).isEqualTo(text);
  }

  private static List<Double> of(String ratios) {
    return Arrays.stream(ratios.split(" ")).map(Double::valueOf).toList();
  }

  @Test
  void afewSlowRoundsDoNotHideWhoIsFaster() {
    List<Double> ratios = new ArrayList<>(Collections.nCopies(17, 1.3));
    ratios.addAll(List.of(0.1, 0.2, 5.0, 9.0));
    Verdict verdict = Verdict.of(ratios, true);
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.FASTER);
    assertThat(verdict.interval().low()).isEqualTo(1.3);
  }

  @Test
  void whatWouldHelpIsTold() {
    assertThat(Verdict.of(of("2 2 2 2 2"), true).help()).contains("--repeat 6");
    assertThat(Verdict.of(of("0.85 0.9 1 1 1.1 1.15"), true).help()).contains("--repeat 20");
    assertThat(Verdict.of(of("0.1 0.9 1 1 1.1 9"), true).help()).contains("quieter machine");
    assertThat(Verdict.of(of("2 2 2 2 2 2"), true).help()).isEmpty();
  }

  /** What is equal is called faster or slower in at most one of twenty comparisons. */
  @Test
  void equalSystemsAreSeldomToldApart() {
    Random random = new Random(5);
    int wrong = 0;
    for (int trial = 0; trial < 2000; trial++) {
      List<Double> ratios =
          DoubleStream.generate(() -> Math.exp(random.nextGaussian() * 0.5))
              .limit(21)
              .boxed()
              .toList();
      Verdict.Kind kind = Verdict.of(ratios, true).kind();
      wrong += kind == Verdict.Kind.FASTER || kind == Verdict.Kind.SLOWER ? 1 : 0;
    }
    assertThat(wrong).isBetween(10, 100);
  }

  /** Noise of half the value, and one round in five that is five times as slow: 21 pairs tell. */
  @Test
  void aSystemThatIsTwiceAsFastIsToldOnANoisyMachine() {
    Random random = new Random(6);
    int told = 0;
    for (int trial = 0; trial < 1000; trial++) {
      List<Double> ratios =
          DoubleStream.generate(() -> 2 * speed(random) / speed(random)).limit(21).boxed().toList();
      told += Verdict.of(ratios, true).kind() == Verdict.Kind.FASTER ? 1 : 0;
    }
    assertThat(told).isGreaterThan(750);
  }

  private static double speed(Random random) {
    double slowness = random.nextInt(5) == 0 ? 5 : 1;
    return Math.exp(random.nextGaussian() * 0.3) / slowness;
  }
}
