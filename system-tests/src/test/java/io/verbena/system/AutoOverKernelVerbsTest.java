// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.Await;
import io.verbena.testkit.LogEntries;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Wishes;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What {@code auto} takes where the kernel has a verbs device. Few hosts that build this have one:
 * {@code scripts/rxe-transport} brings its own.
 */
@Tag("timing")
@Timeout(600)
class AutoOverKernelVerbsTest {

  private static final Duration PATIENCE = Await.LONG;

  private final SharedMemoryDirectory directory = SharedMemoryDirectory.create();
  private final Topology topology = Topology.of("auto", 2, directory.path().toString());
  private final LogEntries warnings = LogEntries.warnings();

  @BeforeEach
  void assumeKernelDevice() {
    assumeTrue(
        Devices.survey(Wishes.NONE).ports().stream()
            .anyMatch(port -> !port.device().provider().equals("softnic")),
        "this host has no verbs device; run scripts/rxe-transport");
  }

  @AfterEach
  void close() {
    warnings.close();
    directory.close();
  }

  @Test
  void nodesThatBothHaveADeviceUseIt() throws InterruptedException {
    assertThat(transportBetween(apart(1), apart(2))).isEqualTo("rdma");
    assertThat(warnings.texts()).isEmpty();
  }

  /** They have the device as well. */
  @Test
  void nodesThatShareMemoryUseThat() throws InterruptedException {
    assertThat(transportBetween(together(1), together(2))).isEqualTo("shm");
    assertThat(warnings.texts()).isEmpty();
  }

  @Test
  void whereOneSideCannotUseVerbsItIsWarnedOfAndBothUseTcp() throws InterruptedException {
    assertThat(transportBetween(apart(1), apart(2).set("rdma.device", "pigeon0"))).isEqualTo("tcp");
    assertThat(warnings.texts())
        .singleElement()
        .asString()
        .startsWith("node 2: auto leaves rdma out and goes on with [shm, tcp]: ")
        .contains("there is no device 'pigeon0'");
  }

  /** How they reach each other, after a question and its answer. */
  private static String transportBetween(NodeConfig.Builder first, NodeConfig.Builder second)
      throws InterruptedException {
    try (Node one = Node.open(first.build());
        Node two = Node.open(second.build())) {
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      assertThat(one.request(2, new Ask(5), Answer.class, PATIENCE).number()).isEqualTo(5);
      return one.connections().iterator().next().transport();
    }
  }

  private NodeConfig.Builder together(int id) {
    return topology.config(id).set("connect.timeout", PATIENCE.toSeconds() + "s");
  }

  /** Sharing no memory, as on hosts of their own. */
  private NodeConfig.Builder apart(int id) {
    return together(id).set("shm.directory", directory.path().resolve("node-" + id).toString());
  }
}
