// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.node.Reports;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void medianIsTheMiddleOfTheSorted() {
    assertThat(Spread.of(5, 1, 9)).isEqualTo(new Spread(1, 5, 9));
    assertThat(Spread.of(4, 1, 3, 2)).isEqualTo(new Spread(1, 2.5, 4));
    assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7));
  }

  @Test
  void nothingHasNoMedian() {
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void percentilesComeFromTheHistogram() {
    Histogram histogram = Reports.newHistogram();
    for (int i = 1; i <= 1000; i++) {
      histogram.recordValue(i);
    }
    RoundTrips ns = RoundTrips.of(histogram);
    assertThat(ns).isEqualTo(new RoundTrips(500.5, 500, 950, 990, 999, 1000));
  }

  @Test
  void percentilesNeedRoundTripsBeyondThem() {
    Histogram histogram = Reports.newHistogram();
    assertThat(Percentile.of(histogram)).isEmpty();
    for (int i = 1; i <= 1000; i++) {
      histogram.recordValue(i);
    }
    assertThat(Percentile.of(histogram))
        .extracting(Percentile::percentile)
        .containsExactly(10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0);
    assertThat(Percentile.of(histogram)).contains(new Percentile(90, 900));
  }

  @Test
  void figuresHaveUnits() {
    assertThat(Figures.count(21_345_678)).isEqualTo("21.3 M");
    assertThat(Figures.count(4379)).isEqualTo("4379");
    assertThat(Figures.count(6)).isEqualTo("6");
    assertThat(Figures.nanos(540)).isEqualTo("540 ns");
    assertThat(Figures.nanos(1350)).isEqualTo("1.35 µs");
    assertThat(Figures.bytes(1_020_000)).isEqualTo("1.02 MB");
    assertThat(Figures.digits(0)).isEqualTo("0");
  }

  @Test
  void tablesAlignTheirColumns() {
    assertThat(new Table("size", "rate").row("64", "1.5 M").row("64K", "2 k").toString())
        .isEqualTo("size   rate\n64    1.5 M\n64K     2 k\n");
  }
}
