// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.PeerRefusedException;
import io.verbena.testkit.Ports;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code encryption=required} without certificates: nothing leaves the host, and errors say so. */
@Tag("timing")
class EncryptionRequiredTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final SharedMemoryDirectory memory = SharedMemoryDirectory.create();
  private final int[] ports = {0, Ports.free(), Ports.free()};

  @AfterEach
  void close() {
    memory.close();
  }

  private NodeConfig.Builder config(int id, String transport) {
    int other = 3 - id;
    return NodeConfig.builder()
        .id(id)
        .types(TestMessages.types())
        .transport(transport)
        .listen("127.0.0.1:" + ports[id])
        .peer(other, "127.0.0.1:" + ports[other])
        .set("connect.timeout", "3m")
        .set("encryption", "required")
        .set("shm.directory", memory.path().toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tcp  | encryption=required forbids tcp: it encrypts only once tls.certificate",
        "rdma | encryption=required forbids rdma: transport rdma does not encrypt"
      })
  void transportBetweenHostsThatDoesNotEncryptIsForbidden(String transport, String why) {
    NodeConfig config = config(1, transport).build();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.open(config))
        .withMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "auto"})
  void sharedMemoryOfOneHostIsAllowed(String transport) throws InterruptedException {
    try (Node two = Node.open(config(2, transport).build());
        Node one = Node.open(config(1, transport).build())) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      assertThat(one.request(2, new Ask(5), Answer.class, PATIENCE).number()).isEqualTo(5);
      assertThat(one.connections().iterator().next().transport()).isEqualTo("shm");
    }
  }

  @Test
  void autoNamesWhatForbidsTheNetwork() {
    try (Node one = Node.open(config(1, "auto").set("rdma.device", "softnic").build())) {
      assertThatExceptionOfType(PeerRefusedException.class)
          .isThrownBy(() -> one.send(2, new Ask(1)))
          .withMessageContaining("tcp: encryption=required forbids tcp")
          .withMessageContaining("rdma: encryption=required forbids rdma");
    }
  }

  @Test
  void onlyTwoValuesArePossible() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> NodeConfig.builder().set("encryption", "on"))
        .withMessageContaining("optional or required");
  }
}
