// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbena.transport.ConfigKey.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What values mean; which of them are in range is the configuration's business. */
class ConfigKeyTest {

  private static ConfigKey key(Kind kind) {
    return new ConfigKey("some.key", kind, "", "any", "For the test.");
  }

  @Test
  void readsUnits() {
    assertThat(key(Kind.NUMBER).number("3")).isEqualTo(3);
    ConfigKey bytes = key(Kind.BYTES);
    assertThat(bytes.number("3")).isEqualTo(3);
    assertThat(bytes.number("3K")).isEqualTo(3L << 10);
    assertThat(bytes.number("3m")).isEqualTo(3L << 20);
    assertThat(bytes.number("3G")).isEqualTo(3L << 30);
    ConfigKey time = key(Kind.DURATION);
    assertThat(time.number("7us")).isEqualTo(7_000);
    assertThat(time.duration("7ns")).isEqualTo(Duration.ofNanos(7));
    assertThat(time.duration("7us")).isEqualTo(Duration.ofNanos(7_000));
    assertThat(time.duration("7ms")).isEqualTo(Duration.ofMillis(7));
    assertThat(time.duration("7s")).isEqualTo(Duration.ofSeconds(7));
    assertThat(time.duration("7m")).isEqualTo(Duration.ofMinutes(7));
    assertThat(time.duration("7h")).isEqualTo(Duration.ofHours(7));
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER, ''",
    "NUMBER, -1",
    "NUMBER, 3K",
    "NUMBER, 1000000000000000000",
    "BYTES, 3KB",
    "BYTES, 999999999999G",
    "DURATION, 3",
    "DURATION, 3M",
    "DURATION, 999999999999h",
    "TEXT, 3"
  })
  void readsNoNumberIntoAnythingElse(Kind kind, String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> key(kind).number(value));
  }
}
