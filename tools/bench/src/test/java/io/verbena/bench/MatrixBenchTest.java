// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Execution;
import io.verbena.bench.faulty.Fault;
import io.verbena.bench.faulty.FaultyProvider;
import io.verbena.bench.plan.Matrix;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.plot.MatrixPlots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small matrix in one process. */
@Tag("timing")
@Timeout(600)
class MatrixBenchTest {

  private static final Matrix SMALL =
      new Matrix(
          List.of(1, 64),
          List.of(1, 2),
          List.of(Execution.inline(), Execution.pool(2)),
          List.of(64),
          List.of(2, 3),
          3000,
          1500,
          0.05,
          2);

  private static final SystemUnderTest LOOPBACK =
      new SystemUnderTest("loopback", Map.of(), List.of());

  @Test
  void everySystemIsMeasuredOneAfterTheOther() throws Exception {
    SystemUnderTest tcp = new SystemUnderTest("tcp", Map.of(), List.of());
    Matrix tiny =
        new Matrix(List.of(64), List.of(1), List.of(), List.of(), List.of(), 500, 100, 0, 1);
    List<Integer> rounds = new ArrayList<>();
    List<BenchResult> results =
        new MatrixBench(tiny, 0).run(List.of(LOOPBACK, tcp), counting(rounds), soFar -> {});
    assertThat(results)
        .extracting(result -> result.transport() + " " + result.plan().workload())
        .containsExactly(
            "loopback THROUGHPUT",
            "loopback LATENCY",
            "loopback LOAD",
            "tcp THROUGHPUT",
            "tcp LATENCY",
            "tcp LOAD");
    assertThat(rounds).as("said beforehand, and made").containsExactly(12, 12);
  }

  @Test
  void everyWorkloadIsVerifiedAndDrawn(@TempDir Path folder) throws Exception {
    List<BenchResult> results = run(SMALL, 0, LOOPBACK);
    assertThat(results).hasSize(8 + 4 + 2 + 2 + 1).allMatch(result -> result.tally().isClean());
    BenchResult closed = of(results, Workload.LATENCY).getFirst();
    BenchResult open = of(results, Workload.LOAD).getFirst();
    assertThat(open.plan().ratePerSecond())
        .isEqualTo(Math.rint(closed.messagesPerSecond().median() / 2));
    assertThat(open.percentiles()).isNotEmpty();

    MatrixPlots.write(results, folder, "run-");
    for (String name :
        List.of(
            "oneway-loopback-rate",
            "oneway-loopback-throughput",
            "bothways-loopback-rate",
            "bothways-loopback-throughput",
            "handlers-loopback",
            "systems-rate",
            "systems-throughput",
            "percentiles",
            "alltoall")) {
      assertThat(ImageIO.read(folder.resolve("run-" + name + ".png").toFile()).getWidth())
          .as(name)
          .isGreaterThan(1000);
      assertThat(Files.readString(folder.resolve("run-" + name + ".svg")))
          .contains("<svg", "</svg");
    }
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(18);
    }
    MatrixPlots.write(List.of(), folder.resolve("nothing to draw, so no folder"), "");
  }

  @Test
  void theOpenLoopHasTheRateThatIsAskedFor() throws Exception {
    Matrix loads =
        new Matrix(List.of(64), List.of(), List.of(), List.of(), List.of(), 1, 200, 0, 1);
    List<BenchResult> results = run(loads, 4000, LOOPBACK);
    assertThat(results).hasSize(1);
    assertThat(results.getFirst().plan().targetPerSecond()).isEqualTo(4000);
    assertThat(results.getFirst().messages()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DROP", "REPEAT", "CORRUPT"})
  void aFaultIsNoticedInEveryPartOfTheMatrix(Fault fault) throws Exception {
    Matrix matrix =
        new Matrix(
            List.of(64),
            List.of(2),
            List.of(Execution.inline(), Execution.pool(2)),
            List.of(64),
            List.of(3),
            3600,
            1200,
            0,
            1);
    List<BenchResult> results =
        run(matrix, 20_000, new SystemUnderTest(FaultyProvider.NAME, settings(fault), List.of()));
    assertThat(results).hasSize(6).noneMatch(result -> result.tally().isClean());
  }

  private static Map<String, String> settings(Fault fault) {
    return Map.of(
        FaultyProvider.FAULT.name(),
        fault.name().toLowerCase(Locale.ROOT),
        FaultyProvider.EVERY.name(),
        "997",
        "request.timeout",
        fault == Fault.DROP ? "1s" : "3m");
  }

  private static List<BenchResult> run(Matrix matrix, double rate, SystemUnderTest system)
      throws InterruptedException {
    return new MatrixBench(matrix, rate).run(List.of(system), Progress.SILENT, soFar -> {});
  }

  private static List<BenchResult> of(List<BenchResult> results, Workload workload) {
    return results.stream().filter(result -> result.plan().workload() == workload).toList();
  }

  /** First how many rounds there will be, then how many there were. */
  private static Progress counting(List<Integer> rounds) {
    return new Progress() {
      @Override
      public void begins(int planned) {
        rounds.add(planned);
        rounds.add(0);
      }

      @Override
      public void roundBegins(String what) {}

      @Override
      public void roundEnds() {
        rounds.set(1, rounds.get(1) + 1);
      }
    };
  }
}
