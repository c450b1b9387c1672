// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.RankLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks in truth, over shared memory; scripts in place of peers. */
@Tag("timing")
@Timeout(600)
class MpiBenchTest {

  private static final String ANSWERS =
      "echo '@verbena ready'; while read -r order; do"
          + " printf '@verbena round\\tmean=2000\\tp50=1000\\tp999=3000\\n'; done";

  @TempDir private Path peers;

  @BeforeEach
  void assumeLauncher() {
    boolean isBuilt = true;
    try {
      RankLauncher.path();
    } catch (BenchException e) {
      isBuilt = false;
    }
    assumeTrue(isBuilt, "verbena-run is not built");
  }

  @Test
  void everyOperationIsMeasuredByTheDeviceAndByThePackage() throws Exception {
    List<String> all = Arrays.stream(Operation.values()).map(Operation::text).toList();
    MpiPlan plan = MpiPlan.of("shm", "softnic", 1, all, List.of("8", "4K"), true);
    List<Integer> counts = new ArrayList<>();
    MpiResult result =
        MpiBench.run(
            plan,
            peers,
            null,
            peer -> {},
            Progress.SILENT,
            soFar -> counts.add(soFar.series().size()));
    assertThat(result.isClean()).isTrue();
    assertThat(result.series())
        .hasSize(2 * (2 * all.size() - 1)) // a barrier has one size
        .allMatch(series -> series.rounds().size() == 1)
        .allMatch(series -> series.rounds().getFirst().p50Ns() > 0);
    assertThat(counts).contains(4).last().isEqualTo(result.series().size());
  }

  @Test
  void aWrongAnswerOfAMessageFailsTheRun() {
    assertThatThrownBy(() -> run(FaultyTimes.class, "ping-pong"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("wrong answer: ping-pong of 64 bytes, rank 0: element 7 is ");
  }

  @Test
  void aWrongAnswerOfACallOfAllFailsTheRun() {
    assertThatThrownBy(() -> run(FaultyTimes.class, "allreduce"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("wrong answer: allreduce of 64 bytes, rank 1: element 7 is ");
  }

  @Test
  void peersAreMeasuredInTurnAndOneThatFailsIsNamed() throws Exception {
    peer("good", "openmpi", ANSWERS);
    peer("bad", "openmpi-cma", "echo '@verbena ready'; read -r order; echo broken >&2; exit 1");
    MpiResult result = run(DeviceTimes.class, "ping-pong");
    assertThat(result.series().stream().map(MpiResult.Series::side))
        .containsExactly("device", "openmpi");
    assertThat(result.series().getLast().values(MpiResult.Of.P50)).containsOnly(1000.0);
    assertThat(result.failures()).singleElement().asString().contains("openmpi-cma", "broken");
    assertThat(result.isClean()).isFalse();
  }

  @Test
  void aPeerThatIsNotInstalledIsSkippedWithWhatInstallsIt() throws Exception {
    peer("away", "niodev", ANSWERS);
    Path description = peers.resolve("away/peer.json");
    Files.writeString(description, Files.readString(description).replace("true\"", "false\""));
    MpiResult result = run(DeviceTimes.class, "ping-pong");
    assertThat(result.skipped())
        .singleElement()
        .extracting(Skipped::install)
        .isEqualTo("apt-get install away");
    assertThat(result.isClean()).isTrue();
  }

  private MpiResult run(Class<?> device, String operation) throws Exception {
    MpiPlan plan = MpiPlan.of("shm", "softnic", 2, List.of(operation), List.of("64"), true);
    return MpiBench.run(
        plan, Map.of(Sides.DEVICE, device), peers, null, peer -> {}, Progress.SILENT, soFar -> {});
  }

  private void peer(String folder, String system, String script) throws IOException {
    Path path = Files.createDirectories(peers.resolve(folder));
    Files.writeString(path.resolve("peer.sh"), script);
    Files.writeString(
        path.resolve("peer.json"),
        """
        {
          "suite": "mpi",
          "install": "apt-get install %s",
          "needs": ["true"],
          "native": true,
          "run": ["sh", "peer.sh"],
          "systems": [{"name": "%s", "wire": "shm", "workloads": []}]
        }
        """
            .formatted(folder, system));
  }
}
