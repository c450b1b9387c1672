// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Percentile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxesTest {

  @ParameterizedTest
  @CsvSource({"0.1, ''", "1, 0%", "10, 90%", "100, 99%", "1000, 99.9%", "100000, 99.999%"})
  void aPowerOfTenIsAPercentile(double oneIn, String label) {
    assertThat(Axes.percentile(oneIn)).isEqualTo(label);
  }

  @Test
  void eachStepHasATenthOfTheMessagesOfTheOneBefore() {
    Curve curve = Axes.distribution("any", List.of(new Percentile(90, 1), new Percentile(99, 2)));
    assertThat(curve.xs()).containsExactly(10, 100);
    assertThat(curve.ys()).containsExactly(1, 2);
    assertThat(Axes.distribution("none", List.of()).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0.1, ''", "100, 100", "1024, 1K"})
  void sizesAreThoseOfTables(double bytes, String label) {
    assertThat(Axes.size(bytes)).isEqualTo(label);
  }
}
