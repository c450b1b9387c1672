// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.fabric.Fabric;
import io.verbena.natives.NativeLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The fabric of ranks in Java: one-sided memory and channels by rank. */
@Tag("timing")
@Timeout(600)
class JobFabricTest {

  private static final String[] EXCHANGED = {
    "around the ring: 600",
    "rank 0 was written to: 9",
    "rank 1 was written to: 8",
    "rank 2 was written to: 7",
    "rank 3 was written to: 6"
  };

  @TempDir private Path folder;

  @BeforeEach
  void skipWithoutLibrary() {
    String why = NativeLibrary.unusableBecause();
    assumeTrue(why.isEmpty(), why);
  }

  @Test
  void ranksWriteIntoEachOthersMemoryAndPassMessagesAround() throws Exception {
    List<String> lines = new ArrayList<>();
    int status = run(List.of("-n", "4"), "exchange", lines);
    assertThat(lines).as("ended with %d", status).containsExactlyInAnyOrder(EXCHANGED);
    assertThat(status).isZero();
  }

  @Test
  void readersOfAKilledRankAreToldByTheJob() throws Exception {
    List<String> lines = new ArrayList<>();
    int status = run(List.of("-n", "3", "--go-on"), "mourn", lines);
    // The fabric itself would have taken it for dead after 1000 s.
    assertThat(lines)
        .contains("rank 0 has LOST: rank 2 has ended with 137")
        .contains("rank 1 has LOST: rank 2 has ended with 137");
    assertThat(status).isEqualTo(137);
  }

  @Test
  void programThatIsAloneHasAFabricToo() {
    try (Job job = Job.open();
        Fabric fabric = job.fabric()) {
      assertThat(fabric.nodeId()).isZero();
      assertThat(fabric.address()).startsWith("127.0.0.1:");
      assertThatThrownBy(() -> job.publish(new byte[1]))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("has published one already");
    }
  }

  @Test
  void rankHasBothKindsOfNodes() {
    try (Job job = Job.open();
        Fabric fabric = job.fabricBuilder().open();
        Node node = job.build(NodeConfig.builder().transport("tcp"))) {
      job.start(node, fabric);
      assertThat(new String(job.address(0, Duration.ZERO), UTF_8).lines())
          .hasSize(2)
          .contains("fabric " + fabric.address());
    }
  }

  @Test
  void fabricThatCannotStartIsClosed() {
    try (Job job = Job.open()) {
      job.publish(new byte[1]);
      Fabric fabric = job.fabricBuilder().open();
      assertThatThrownBy(() -> job.start(fabric)).isInstanceOf(JobException.class);
      assertThat(fabric.isClosed()).isTrue();
    }
  }

  private int run(List<String> options, String what, List<String> lines) throws Exception {
    return LaunchedRanks.run(folder, options, FabricRank.class, List.of(what), lines);
  }
}
