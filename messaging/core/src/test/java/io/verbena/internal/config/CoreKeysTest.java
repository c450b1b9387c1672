// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CoreKeysTest {

  private record Provider(String name, List<ConfigKey> keys) implements TransportProvider {
    @Override
    public String unusableBecause() {
      return "it is none";
    }

    @Override
    public Transport open(TransportContext context) {
      throw new UnsupportedOperationException();
    }
  }

  private static ConfigKey number(String name, String byDefault) {
    return new ConfigKey(name, Kind.NUMBER, byDefault, "1..9", "For the test.");
  }

  private static void refuses(String error, ConfigKey... keys) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> CoreKeys.with(List.of(new Provider("wire", List.of(keys)))))
        .withMessageContaining(error)
        .withMessageContaining("transport wire");
  }

  static List<ConfigKey> keys() {
    return CoreKeys.list();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyDefaultIsInItsOwnRange(ConfigKey key) {
    if (!key.equals(CoreKeys.NODE_ID)) {
      assertThatCode(() -> Values.check(key, key.defaultValue(), "the defaults"))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeySaysWhatItIsFor(ConfigKey key) {
    assertThat(key.name()).matches("[a-z]+(\\.[a-z]+)*");
    assertThat(key.range()).isNotBlank();
    assertThat(key.description()).endsWith(".");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeyWithOneLetterMissingIsRefusedAndTheRightOneNamed(ConfigKey key) {
    ConfigSources sources = new ConfigSources(CoreKeys.with(List.of()));
    for (int i = 0; i < key.name().length(); i++) {
      String slip = new StringBuilder(key.name()).deleteCharAt(i).toString();
      if (CoreKeys.with(List.of()).containsKey(slip)) {
        continue;
      }
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> sources.set(slip, key.defaultValue()))
          .withMessageContaining("unknown key '" + slip + "'")
          .withMessageContaining("did you mean '" + key.name() + "'?");
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void everyKeyWithARangeRefusesWhatIsNoneOfItNamingIt(ConfigKey key) {
    ConfigSources sources = new ConfigSources(CoreKeys.with(List.of()));
    List<String> never =
        switch (key.kind()) {
          case NUMBER, BYTES, DURATION, BOOLEAN, CHOICE ->
              List.of("", "-1", "1.5", "0x10", "many", "1 0", "999999999999999999999", "\u0661");
          case TEXT, SECRET -> List.of();
        };
    for (String value : never) {
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> sources.set(key.name(), value))
          .withMessageStartingWith(
              key.name() + " = '" + value + "' from the program: expected " + key.range());
    }
    assertThat(sources.effective()).isEmpty();
  }

  @Test
  void everyConstantIsInTheList() {
    List<ConfigKey> constants =
        Arrays.stream(CoreKeys.class.getDeclaredFields())
            .filter(field -> field.getType() == ConfigKey.class)
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(
                field -> {
                  try {
                    return (ConfigKey) field.get(null);
                  } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                  }
                })
            .toList();
    assertThat(CoreKeys.list()).containsExactlyElementsOf(constants);
  }

  @Test
  void transportsAddTheirKeys() {
    ConfigKey key = number("wire.count", "5");
    assertThat(CoreKeys.with(List.of(new Provider("wire", List.of(key)))))
        .containsEntry("wire.count", key)
        .containsKey("node.id");
  }

  @Test
  void transportKeysThatCannotBeUsedAreRefusedByName() {
    refuses("key 'other.count'", number("other.count", "5"));
    refuses("key 'wire.count'", number("wire.count", "5"), number("wire.count", "6"));
    refuses("wire.count = '10'", number("wire.count", "10"));
  }

  @Test
  void transportThatCannotBeLoadedIsNamed() {
    Iterable<TransportProvider> broken =
        () -> {
          throw new ServiceConfigurationError("no class x.Y");
        };
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> CoreKeys.with(broken))
        .withMessage("a transport cannot be loaded: no class x.Y");
  }
}
