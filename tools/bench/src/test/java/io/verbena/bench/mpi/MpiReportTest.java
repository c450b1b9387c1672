// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Machine;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Row;
import io.verbena.bench.mpi.MpiPlan.Measured;
import io.verbena.bench.mpi.MpiResult.Series;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rounds that are known, in the report. */
class MpiReportTest {

  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");
  private static final Measured SMALL = new Measured(Operation.PING_PONG, 1);
  private static final Measured EAGER = new Measured(Operation.PING_PONG, 32 << 10);
  private static final Measured LARGE = new Measured(Operation.PING_PONG, 64 << 10);
  private static final Measured BARRIER = new Measured(Operation.BARRIER, 0);

  private static final MpiResult RESULT =
      new MpiResult(
          new MpiPlan("shm", "softnic", 3, List.of(SMALL, EAGER, LARGE, BARRIER), false),
          List.of(
              series("device", SMALL, 10_000, 400, 500, 600),
              series("api", SMALL, 10_000, 800, 1000, 1200),
              series("openmpi", SMALL, 10_000, 400, 1000, 1000),
              series("niodev", SMALL, 100, 9000, 9000, 9000),
              series("device", EAGER, 100, 8000, 8000, 8000),
              series("device", LARGE, 100, 20_000, 20_000, 20_000),
              series("openmpi-copies", LARGE, 100, 18_000, 20_000, 20_000),
              series("device", BARRIER, 2000, 9000, 9000, 9000),
              series("openmpi-yield", BARRIER, 2000, 3000, 4000, 4000)),
          List.of(new Skipped("mpi", "it is not there", "apt-get install it")),
          List.of("openmpi-cma ended with status 1"));

  private static Series series(String side, Measured what, int calls, double... p50s) {
    return new Series(
        side,
        what,
        DoubleStream.of(p50s).mapToObj(ns -> new Side.Round(calls, ns + 10, ns, 10 * ns)).toList());
  }

  @Test
  void theMedianRatioDecidesWhatIsReached() {
    List<Row> rows = MpiReach.rows(RESULT);
    assertThat(rows.stream().map(row -> row.figure().way() + " " + name(row)))
        .containsExactly(
            "device ping-pong, p50 of 1 beside openmpi: true",
            "device ping-pong, throughput of 65536 beside openmpi-copies: true",
            "device ping-pong, p50 of 1 beside niodev: true",
            "device barrier, p50 of 0 beside openmpi-yield: false",
            "device ping-pong, throughput of 65536 beside eager, 32K: false",
            "api ping-pong, p50 of 1 beside openmpi: false",
            "api ping-pong, p50 of 1 beside niodev: false");
  }

  private static String name(Row row) {
    var partner = row.figure().partner();
    return "%s of %d beside %s: %s"
        .formatted(
            row.figure().what(),
            row.figure().sizeBytes(),
            partner == null ? "" : partner.what(),
            row.isReached());
  }

  @Test
  void otherTransportsHaveAimsOfTheirOwn() {
    MpiPlan plan = new MpiPlan("tcp", "softnic", 3, List.of(SMALL), false);
    List<Series> series =
        List.of(
            series("device", SMALL, 10_000, 9000),
            series("openmpi", SMALL, 10_000, 1000),
            series("openmpi-tcp", SMALL, 10_000, 10_000));
    assertThat(MpiReach.rows(new MpiResult(plan, series, List.of(), List.of())))
        .extracting(MpiReportTest::name)
        .containsExactly("ping-pong, p50 of 1 beside openmpi-tcp: true");
  }

  @Test
  void theTableHasARowForEachFigureAndAColumnForEachSide() {
    String text = MpiReport.format(MACHINE, RESULT);
    assertThat(text)
        .containsPattern("device +api +openmpi +niodev +openmpi-copies +openmpi-yield")
        .containsPattern("ping-pong +1 +p50 +500 ns +1.00 µs \\(2.00\\) +1.00 µs \\(1.67\\)")
        .containsPattern("ping-pong +1 +p99.9 +5.00 µs +10.0 µs \\(2.00\\) .*µs \\(1.67\\) +- +-")
        .containsPattern("barrier +- +mean +9.01 µs")
        .doesNotContainPattern("32K +p99.9") // of rounds of 100 calls
        .contains("skipped: mpi: it is not there; install it:  apt-get install it")
        .contains("FAILED: openmpi-cma ended with status 1");
    assertThat(RESULT.isClean()).isFalse();
  }

  @Test
  void jsonHasEachRoundsRatioAndWhatIsToBeReached() {
    JsonNode root =
        JsonMapper.shared().readTree(MpiReport.toJson(MACHINE, "verbena", true, RESULT));
    JsonNode api = root.get("results").get(3);
    assertThat(api.get("system").asString()).isEqualTo("api");
    assertThat(api.get("workload").asString()).isEqualTo("ping-pong, p50");
    assertThat(api.get("ratio").get("baseline").asString()).isEqualTo("device");
    assertThat(api.get("ratio").get("pairs")).hasSize(3);
    assertThat(root.get("figures")).hasSize(7);
    assertThat(root.get("figures").get(0).get("reach").get("most").asDouble()).isEqualTo(1.0);
    assertThat(root.get("skipped").get(0).get("install").asString())
        .isEqualTo("apt-get install it");
    assertThat(root.get("failures")).hasSize(1);
  }

  @Test
  void theThroughputIsThatOfHalfARoundTrip() {
    Row row = MpiReport.throughputs(RESULT).get(4);
    assertThat(row.figure().sizeBytes()).isEqualTo(32 << 10);
    assertThat(row.figure().value().median()).isEqualTo(2 * 32_768 / 8000e-9);
  }
}
