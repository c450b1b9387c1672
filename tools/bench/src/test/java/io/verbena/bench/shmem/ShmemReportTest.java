// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Machine;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Row;
import io.verbena.bench.shmem.ShmemResult.Call;
import io.verbena.bench.shmem.ShmemResult.Series;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rounds that are known, in the report. */
class ShmemReportTest {

  private static final Machine MACHINE = new Machine("abc", "25", "a processor", 2, "Linux 6");
  private static final Call ADD = new Call("fetch-add", 8);
  private static final Call PUT = new Call("put", 1 << 20);
  private static final Call COPY = new Call("copy", 1 << 20);
  private static final Call BARRIER = new Call("barrier-all", 0);

  private static final ShmemResult RESULT =
      new ShmemResult(
          List.of(
              series("verbena", ADD, 5, 6, 7),
              series("verbena", PUT, 10_000, 10_000, 10_000),
              series("verbena", COPY, 9_000, 9_000, 9_000),
              series("verbena", BARRIER, 2000, 2100, 2200),
              series("verbena, by the device", PUT, 90_000, 90_000, 90_000),
              series("verbena, over TCP", ADD, 30_000, 32_000, 31_000),
              series("verbena, over TCP", PUT, 400_000, 400_000, 400_000),
              series("socket", new Call("there-and-back", 8), 10_000, 20_000, 20_000),
              series("socket", new Call("send", 1 << 20), 200_000, 200_000, 200_000),
              series("oshmem", ADD, 10, 24, 35),
              series("oshmem", PUT, 1_000, 1_000, 1_000),
              series("oshmem", BARRIER, 2000, 2000, 2000)),
          List.of(new Skipped("oshmem", "it is not there", "apt-get install it")),
          List.of());

  private static Series series(String side, Call call, double... nanos) {
    return new Series(side, call, DoubleStream.of(nanos).boxed().toList());
  }

  @Test
  void theMedianRatioDecidesWhatIsReached() {
    assertThat(ShmemReach.rows(RESULT).stream().map(ShmemReportTest::text))
        .containsExactly(
            "fetch-add beside oshmem: true",
            "put beside copy: true",
            "barrier-all beside oshmem: false",
            "fetch-add beside socket: true",
            "put beside socket: false");
  }

  private static String text(Row row) {
    var partner = row.figure().partner();
    return "%s beside %s: %s"
        .formatted(row.figure().what(), partner == null ? "" : partner.what(), row.isReached());
  }

  /** A run that was ended has a round more of one of them. */
  @Test
  void whatIsNotPairedHasNoRatio() {
    ShmemResult result =
        new ShmemResult(
            List.of(series("verbena", ADD, 5, 6), series("oshmem", ADD, 10)),
            List.of(),
            List.of("oshmem ended with 139"));
    assertThat(ShmemReach.rows(result)).isEmpty();
    assertThat(result.isClean()).isFalse();
    assertThat(ShmemReport.format(MACHINE, result)).contains("FAILED: oshmem ended with 139");
  }

  @Test
  void theReportHasAllSides() {
    assertThat(ShmemReport.format(MACHINE, RESULT))
        .contains("≤ 0.30 × oshmem", "≥ 0.85 × copy", "verbena, by the device")
        .contains("skipped: oshmem: it is not there; install it:  apt-get install it");
    JsonNode root =
        JsonMapper.shared().readTree(ShmemReport.toJson(MACHINE, "bench shmem", true, RESULT));
    assertThat(root.get("results").size()).isEqualTo(RESULT.series().size());
    assertThat(root.get("figures").get(0).get("reached").asBoolean()).isTrue();
    assertThat(root.get("skipped").get(0).get("system").asString()).isEqualTo("oshmem");
  }

  @Test
  void whatALibrarySaysBesidesIsNoFigure() {
    String output =
        """
        WARNING: no figure 8
        put 8 6.90
        barrier-all 0 2481.00
        PE 0: 8 bytes at 0x7f are not symmetric
        """;
    assertThat(ShmemBench.read(output)).isEqualTo(Map.of(new Call("put", 8), 6.9, BARRIER, 2481.0));
  }
}
