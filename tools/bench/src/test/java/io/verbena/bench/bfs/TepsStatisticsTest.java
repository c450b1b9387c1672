// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TepsStatisticsTest {

  @Test
  void quartilesLieBetweenTheValues() {
    TepsStatistics of = TepsStatistics.of(4, 1, 3, 2, 10);
    assertThat(of)
        .isEqualTo(new TepsStatistics(1, 2, 3, 4, 10, 4, Math.sqrt((9 + 4 + 1 + 0 + 36) / 4.0)));
    assertThat(TepsStatistics.of(1, 2, 3, 4).firstQuartile()).isEqualTo(1.75);
  }

  @Test
  void ratesHaveAHarmonicMeanAndItsError() {
    TepsStatistics of = TepsStatistics.ofRates(1, 2, 4);
    double inverse = (1 + 0.5 + 0.25) / 3;
    double squares =
        Math.pow(1 - inverse, 2) + Math.pow(0.5 - inverse, 2) + Math.pow(0.25 - inverse, 2);
    assertThat(of.mean()).isCloseTo(12 / 7.0, within(1e-12));
    assertThat(of.deviation())
        .isCloseTo(Math.sqrt(squares) / 2 * Math.pow(12 / 7.0, 2), within(1e-12));
  }

  @Test
  void oneValueDoesNotDeviate() {
    assertThat(TepsStatistics.ofRates(5)).isEqualTo(new TepsStatistics(5, 5, 5, 5, 5, 5, 0));
    assertThat(TepsStatistics.of(5).deviation()).isZero();
  }
}
