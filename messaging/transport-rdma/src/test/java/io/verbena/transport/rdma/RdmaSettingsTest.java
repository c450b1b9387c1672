// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.ConfigException;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.testkit.StillContext;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.UnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RdmaSettingsTest {

  private static final List<String> NUMBERS_NEVER = List.of("", "-1", "1.5", "many", "0x10");

  /** Just outside of each key's range, below and above. */
  private static final Map<String, List<String>> OUTSIDE =
      Map.ofEntries(
          Map.entry("rdma.port", List.of("256")),
          Map.entry("rdma.gid.index", List.of("256")),
          Map.entry("rdma.pkey", List.of("65536")),
          Map.entry("rdma.service.level", List.of("16")),
          Map.entry("rdma.traffic.class", List.of("256")),
          Map.entry("rdma.mtu", List.of("128", "1500", "8192")),
          Map.entry("rdma.connections.max", List.of("0", "16385")),
          Map.entry("rdma.send.requests", List.of("3", "4097")),
          Map.entry("rdma.signal.every", List.of("0", "2049")),
          Map.entry("rdma.buffer.bytes", List.of("128", "2M", "5000")),
          Map.entry("rdma.buffers.per.receive", List.of("0", "5")),
          Map.entry("rdma.receive.requests", List.of("15", "65537")),
          Map.entry("rdma.window", List.of("1", "4097")),
          Map.entry("rdma.control.bytes", List.of("2K", "2M", "5000")),
          Map.entry("rdma.heartbeat", List.of("9ms", "61s")),
          Map.entry("rdma.dead.after", List.of("49ms", "601s")),
          Map.entry("rdma.handshake.timeout", List.of("99ms", "61s")),
          Map.entry("rdma.lane.max.bytes", List.of("63K", "2G")),
          Map.entry("rdma.placement", List.of("yes", "")));

  /** All keys but those of which only the library knows what they may be: it refuses to open. */
  static List<ConfigKey> keys() {
    Set<String> judgedLater = Set.of("rdma.device", "rdma.softnic.listen");
    return RdmaSettings.KEYS.stream().filter(key -> !judgedLater.contains(key.name())).toList();
  }

  private static NodeConfig.Builder softnic() {
    return NodeConfig.builder().id(1).transport("rdma").set("rdma.device", Verbs.SOFTNIC);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void badValueIsRefusedAtOnceNamingKeyValueAndRange(ConfigKey key) {
    List<String> outside = OUTSIDE.getOrDefault(key.name(), List.of());
    assertThat(outside).as("values outside of " + key.name()).isNotEmpty();
    Stream.concat(NUMBERS_NEVER.stream(), outside.stream())
        .forEach(
            value ->
                assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> softnic().set(key.name(), value))
                    .withMessageStartingWith(
                        key.name() + " = '" + value + "' from the program: expected ")
                    .withMessageContaining(key.range()));
  }

  @ParameterizedTest
  @CsvSource({
    "rdma.gid.index, auto",
    "rdma.gid.index, 255",
    "rdma.pkey, auto",
    "rdma.pkey, 65535",
    "rdma.service.level, auto",
    "rdma.service.level, 15",
    "rdma.traffic.class, auto",
    "rdma.traffic.class, 255"
  })
  void wordAndNumberWillBothDo(String key, String value) {
    assertThatCode(() -> softnic().set(key, value)).doesNotThrowAnyException();
  }

  @Test
  void whatNobodyAskedForIsNoWish() {
    assertThat(new RdmaSettings(new StillContext(1)).wishes()).isEqualTo(Wishes.NONE);
    StillContext asked = new StillContext(1).set("rdma.service.level", "0").set("rdma.port", "2");
    asked = asked.set("rdma.traffic.class", "104");
    assertThat(new RdmaSettings(asked).wishes())
        .isEqualTo(Wishes.builder().serviceLevel(0).trafficClass(104).port(2).build());
  }

  @Test
  void valuesThatDoNotFitTogetherAreNamedBoth() {
    refuses(softnic().set("rdma.signal.every", "32").set("rdma.send.requests", "32"))
        .withMessage(
            "cannot start transport rdma: rdma.signal.every = '32': must be less than"
                + " rdma.send.requests, which is 32");
    refuses(softnic().set("rdma.dead.after", "1000ms"))
        .withMessage(
            "cannot start transport rdma: rdma.dead.after = '1000ms': must be more than"
                + " rdma.heartbeat, which is 1s");
  }

  /** Under auto, too: a mistake of the user's is no reason to go on with another transport. */
  @Test
  void valuesThatDoNotFitTogetherAreNoMissingDevice() {
    StillContext context = new StillContext(1).set("transport", "auto").set("rdma.heartbeat", "5s");
    assertThatThrownBy(() -> new RdmaTransport(context))
        .hasMessageContaining("rdma.dead.after")
        .isNotInstanceOf(UnavailableException.class);
  }

  @Test
  void deviceThatIsNotThereIsNamedWithThoseThatAre() {
    refuses(softnic().set("rdma.device", "pigeon0"))
        .withMessageContaining("no device 'pigeon0'")
        .withMessageContaining("softnic0");
  }

  /** Each in its range, but more than the device has. */
  @Test
  void valueAboveTheDevicesLimitIsNamedByItsKey() {
    refuses(softnic().set("rdma.connections.max", "16384"))
        .withMessageContaining("rdma.connections.max of 16384 is not between 1 and ");
    refuses(softnic().set("rdma.connections.max", "4000").set("rdma.send.requests", "4096"))
        .withMessageContaining("rdma.connections.max times rdma.send.requests of ");
  }

  private static ThrowableAssertAlternative<VerbenaException> refuses(NodeConfig.Builder builder) {
    return assertThatExceptionOfType(VerbenaException.class)
        .isThrownBy(() -> Node.open(builder.build()).close());
  }
}
