// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.peer.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store under all workloads, with little data. */
class KvBenchTest {

  /** Not where temporary files are: these may be memory. */
  private static final Path TARGET = Path.of("target");

  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory(Files.createDirectories(TARGET), "kv-bench-");
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Scratch.deleteTree(folder);
  }

  @Test
  void everyWorkloadIsMeasured() throws Exception {
    Path peers = Files.createDirectory(folder.resolve("peers"));
    Path place = Files.createDirectory(folder.resolve("place"));
    List<Workload> workloads =
        List.of(Workload.LOAD, Workload.D, Workload.E, Workload.F, Workload.PACED, Workload.REOPEN);
    KvPlan plan = new KvPlan(List.of(Mix.SD), workloads, 1, 2, 8 << 20, 0.1, 2000, false, place);

    KvResult result = KvBench.run(plan, peers, peer -> {}, Progress.SILENT, soFar -> {});

    assertThat(result.isClean()).isTrue();
    for (Workload workload : workloads) {
      assertThat(measures(result, workload))
          .contains(workload == Workload.REOPEN ? Measure.OPEN : Measure.THROUGHPUT);
    }
    assertThat(measures(result, Workload.LOAD))
        .contains(Measure.CPU, Measure.WRITTEN, Measure.HEAP, Measure.LONGEST, Measure.STALLED);
    assertThat(measures(result, Workload.PACED)).contains(Measure.P50, Measure.P99, Measure.P999);
    assertThat(result.series()).allMatch(one -> one.values().size() == 1);
    KvResult.Series written =
        result.find("verbena", new KvResult.Subject(Mix.SD, Workload.LOAD, Measure.WRITTEN));
    assertThat(written).isNotNull();
    assertThat(written.values().getFirst()).isGreaterThanOrEqualTo(1);
    try (var left = Files.list(place)) {
      assertThat(left).isEmpty();
    }
  }

  private static Set<Measure> measures(KvResult result, Workload workload) {
    return result.series().stream()
        .filter(one -> one.subject().workload() == workload)
        .map(one -> one.subject().measure())
        .collect(Collectors.toSet());
  }

  @Test
  void filesThatAreMemoryAreRefused() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isDirectory();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
    assertThatThrownBy(() -> KvBench.checkIsDisk(memory))
        .hasMessageContaining("/dev/shm is a tmpfs")
        .hasMessageContaining("--folder");
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertThatThrownBy(
            () ->
                new KvPlan(
                    List.of(Mix.S), List.of(Workload.A), 0, 1, 64 << 20, 1, 1, false, Path.of(".")))
        .hasMessage("--pairs 0: expected 1 to 1000");
    assertThatThrownBy(
            () ->
                new KvPlan(List.of(Mix.S), List.of(Workload.A), 1, 1, 5, 1, 1, false, Path.of(".")))
        .hasMessage("--data 5: expected 8388608 to 1099511627776");
  }
}
