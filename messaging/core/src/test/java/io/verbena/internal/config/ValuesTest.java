// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValuesTest {

  private static ConfigKey key(Kind kind, String range) {
    return new ConfigKey("some.key", kind, "", range, "For the test.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NUMBER; 0..65535; 0",
        "NUMBER; 0..65535; 65535",
        "NUMBER; 64..1048576, a power of two; 1024",
        "NUMBER; auto, or 0..255; auto",
        "NUMBER; auto, or 0..255; 255",
        "NUMBER; any; 999999999999999999",
        "BYTES; 64K..1G; 65536",
        "BYTES; 64K..1G; 1G",
        "BYTES; 64K..1G; 1g",
        "DURATION; 0us..10ms; 0ns",
        "DURATION; 0us..10ms; 10000us",
        "DURATION; 1ms..1h; 60m",
        "BOOLEAN; true or false; true",
        "BOOLEAN; true or false; false",
        "CHOICE; red|green; green",
        "TEXT; any; whatever it is",
        "SECRET; any; whatever it is",
      })
  void acceptsWhatIsInRange(Kind kind, String range, String value) {
    assertThatCode(() -> Values.check(key(kind, range), value, "a test"))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NUMBER; 0..65535; 65536",
        "NUMBER; 1..65535; 0",
        "NUMBER; 0..65535; -1",
        "NUMBER; 0..65535; ''",
        "NUMBER; 0..65535; twelve",
        "NUMBER; 0..65535; 1K",
        "NUMBER; auto, or 0..255; 256",
        "NUMBER; auto, or 0..255; -1",
        "NUMBER; auto, or 0..255; automatic",
        "NUMBER; 0..255; auto",
        "NUMBER; any; 1000000000000000000",
        "NUMBER; 64..1048576, a power of two; 1000",
        "NUMBER; 64..1048576, a power of two; 32",
        "BYTES; 64K..1G; 65535",
        "BYTES; 64K..1G; 1073741825",
        "BYTES; 64K..1G, a power of two; 65537",
        "BYTES; 64K..1G; 64KB",
        "BYTES; 64K..1G; 1T",
        "BYTES; any; 999999999999G",
        "DURATION; 0us..10ms; 10001us",
        "DURATION; 1ms..10s; 999us",
        "DURATION; 1ms..10s; 5",
        "DURATION; 1ms..10s; 5 s",
        "DURATION; any; 999999999999h",
        "BOOLEAN; true or false; yes",
        "BOOLEAN; true or false; TRUE",
        "CHOICE; red|green; blue",
      })
  void refusesWhatIsNotNamingKeyValueRangeAndSource(Kind kind, String range, String value) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Values.check(key(kind, range), value, "file x.properties"))
        .withMessageStartingWith(
            "some.key = '" + value + "' from file x.properties: expected " + range);
  }

  @Test
  void tellsTheUnitsOfAKind() {
    assertThat(Values.bad(key(Kind.BYTES, "1..2"), "x", "s")).hasMessageContaining("K, M or G");
    assertThat(Values.bad(key(Kind.DURATION, "1..2"), "x", "s")).hasMessageContaining("us, ms");
    assertThat(Values.bad(key(Kind.NUMBER, "1..2"), "x", "s")).hasMessageContaining("whole");
  }

  @Test
  void neverTellsASecret() {
    assertThat(Values.bad(key(Kind.SECRET, "long"), "hunter2", "s"))
        .hasMessage("some.key from s: expected long");
  }
}
