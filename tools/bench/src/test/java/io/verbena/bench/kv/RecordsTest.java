// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records and which of them are asked for. */
class RecordsTest {
  private static final int COUNT = 20_000;

  @ParameterizedTest
  @EnumSource
  void recordsHaveTheLengthsOfTheirMix(Mix mix) {
    Records records = new Records(mix);
    Set<String> keys = new HashSet<>();
    long bytes = 0;
    for (long record = 0; record < COUNT; record++) {
      byte[] value = records.value(record);
      assertThat(records.isValue(record, value)).isTrue();
      assertThat(records.isValue(records.key(record), value)).isTrue();
      keys.add(new String(records.key(record), java.nio.charset.StandardCharsets.US_ASCII));
      bytes += Records.KEY_BYTES + value.length;
    }
    assertThat(keys).hasSize(COUNT).allMatch(key -> key.matches("user\\d{20}"));
    assertThat((double) bytes / COUNT).isCloseTo(mix.meanBytes(), within(0.05 * mix.meanBytes()));
  }

  @Test
  void aValueOfAnotherRecordIsFoundOut() {
    Records records = new Records(Mix.L);
    assertThat(records.isValue(1, records.value(2))).isFalse();
    assertThat(records.isValue(records.key(1), records.value(2))).isFalse();
    byte[] changed = records.value(3).clone();
    changed[500]++;
    assertThat(records.isValue(3, changed)).isFalse();
  }

  /** Number k is drawn in proportion to 1 / (k + 1)^0.99. */
  @Test
  void zipfianNumbersAreAsFrequentAsTheirRankSays() {
    int numbers = 1000;
    int draws = 1_000_000;
    Zipfian zipfian = new Zipfian(numbers);
    SplittableRandom random = new SplittableRandom(7);
    int[] drawn = new int[numbers];
    for (int i = 0; i < draws; i++) {
      drawn[(int) zipfian.next(random)]++;
    }
    double zeta = 0;
    for (int i = 1; i <= numbers; i++) {
      zeta += Math.pow(i, -0.99);
    }
    assertThat(drawn[0] / (double) draws).isCloseTo(1 / zeta, within(0.005));
    assertThat(drawn[1] / (double) draws).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.005));
    double tail = 0;
    double expected = 0;
    for (int i = 100; i < numbers; i++) {
      tail += drawn[i] / (double) draws;
      expected += Math.pow(i + 1, -0.99) / zeta;
    }
    assertThat(tail).isCloseTo(expected, within(0.02)); // the method approximates
  }
}
