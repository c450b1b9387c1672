// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Machine;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Row;
import io.verbena.bench.kv.KvResult.Series;
import io.verbena.bench.kv.KvResult.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rounds that are known, in the report. */
class KvReportTest {
  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");
  private static final KvPlan PLAN =
      new KvPlan(
          List.of(Mix.SD), List.of(Workload.LOAD), 3, 2, 64 << 20, 1, 1000, true, Path.of("."));

  private static Series series(
      String engine, Workload workload, Measure measure, double... values) {
    return new Series(
        engine, new Subject(Mix.SD, workload, measure), DoubleStream.of(values).boxed().toList());
  }

  private static final KvResult RESULT =
      new KvResult(
          List.of(
              series("verbena", Workload.LOAD, Measure.THROUGHPUT, 90, 95, 100),
              series("verbena", Workload.LOAD, Measure.HEAP, 99, 100, 120),
              series("verbena", Workload.C, Measure.THROUGHPUT, 70, 79, 90),
              series("verbena", Workload.REOPEN, Measure.OPEN, 8e8, 9e8, 12e8),
              series("rocksdb", Workload.LOAD, Measure.THROUGHPUT, 100, 100, 100),
              series("rocksdb", Workload.LOAD, Measure.HEAP, 0, 0, 0),
              series("rocksdb", Workload.C, Measure.THROUGHPUT, 100, 100, 100)),
          List.of(new Skipped("another", "it is not there", "")),
          List.of());

  @Test
  void theMedianDecidesWhatIsReached() {
    assertThat(KvReach.rows(RESULT).stream().map(KvReportTest::text))
        .containsExactly(
            "Load A, SD, throughput: true",
            "Run C, SD, throughput: false",
            "Load A, SD, heap: true",
            "Open, SD, open: true");
  }

  private static String text(Row row) {
    return row.figure().what() + ": " + row.isReached();
  }

  @Test
  void theReportHasAllEngines() {
    assertThat(KvReport.format(MACHINE, PLAN, RESULT))
        .contains("64 MiB of data", "each write synced")
        .containsPattern("Load A, SD, heap +100 B +0 B")
        .containsPattern("Open, SD, open +900 ms +-")
        .contains("skipped: another: it is not there");
    JsonNode root =
        JsonMapper.shared().readTree(KvReport.toJson(MACHINE, "bench kv", true, RESULT));
    assertThat(root.path("results")).hasSize(7);
    assertThat(root.path("figures").path(0).path("ratio").path("median").asDouble()).isEqualTo(.95);
    assertThat(root.path("skipped").path(0).path("system").asString()).isEqualTo("another");
  }
}
