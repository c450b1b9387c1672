// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Spread;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

  @ParameterizedTest
  @CsvSource({
    "1.01, 1.4,  5, true,  BETTER",
    "1.01, 1.4,  5, false, WORSE",
    "0.7,  0.99, 5, true,  WORSE",
    "0.7,  0.99, 5, false, BETTER",
    "0.9,  1.25, 5, true,  EVEN",
    "0.8,  1.05, 5, false, EVEN",
    "1,    1.5,  5, true,  NONE",
    "0.72, 1.05, 5, true,  NONE",
    "2,    3.01, 5, true,  NONE",
    "2,    2,    4, true,  NONE",
    "0,    0,    5, true,  WORSE",
    "NaN,  NaN,  5, true,  NONE",
    "1,    Infinity, 5, true,  NONE"
  })
  void followsFromAllPairs(
      double min, double max, int pairs, boolean isLargeGood, Verdict verdict) {
    Spread ratio = new Spread(min, (min + max) / 2, max);
    assertThat(Verdict.of(ratio, pairs, isLargeGood)).isEqualTo(verdict);
  }
}
