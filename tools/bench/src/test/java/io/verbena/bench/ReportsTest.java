// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportsTest {

  private static final Machine MACHINE = new Machine("abc", "JDK 25", "a processor", 2, "Linux 6");

  @Test
  void jsonHasTheAgreedShape() {
    JsonNode root = JsonMapper.shared().readTree(json(Workload.LATENCY));
    assertThat(root.propertyNames()).containsExactly("meta", "results");
    assertThat(root.get("meta").propertyNames())
        .containsExactly("complete", "commit", "jdk", "cpu", "cores", "kernel", "command");
    JsonNode result = root.get("results").get(0);
    assertThat(result.propertyNames())
        .contains(
            "system",
            "workload",
            "transport",
            "device",
            "nodes",
            "threads",
            "direction",
            "size_bytes",
            "messages",
            "messages_per_second",
            "megabytes_per_second",
            "rtt_ns",
            "rtt_percentiles",
            "cpu_seconds",
            "lost",
            "duplicated",
            "corrupted");
    assertThat(result.get("rtt_ns").propertyNames())
        .contains("mean", "p50", "p95", "p99", "p999", "max", "p50_min", "p50_max", "max_max");
    assertThat(result.get("rtt_ns").get("p50").asDouble()).isEqualTo(3);
    assertThat(result.get("rtt_ns").get("p50_min").asDouble()).isEqualTo(2);
    assertThat(result.get("rtt_ns").get("p50_max").asDouble()).isEqualTo(4);
    assertThat(result.get("rtt_percentiles").get(1).get(0).asDouble()).isEqualTo(90);
    assertThat(result.get("rtt_percentiles").get(1).get(1).asDouble()).isEqualTo(6);
    assertThat(result.get("cpu_seconds_max").asDouble()).isEqualTo(3);
    assertThat(result.get("megabytes_per_second_min").asDouble()).isEqualTo(64);
    assertThat(result.get("repeat").asInt()).isEqualTo(3);
    assertThat(root.get("meta").get("complete").asBoolean()).isTrue();
    assertThat(result.get("system").asString()).isEqualTo("verbena");
    assertThat(result.get("workload").asString()).isEqualTo("latency");
    assertThat(result.get("messages").isIntegralNumber()).isTrue();
    assertThat(result.get("messages_per_second").asDouble()).isEqualTo(2e6);
    assertThat(result.get("megabytes_per_second").asDouble()).isEqualTo(128);
    assertThat(result.get("lost").asLong()).isEqualTo(1);
  }

  @Test
  void jsonHasNoRoundTripsWhereThereWereNone() {
    JsonNode root = JsonMapper.shared().readTree(json(Workload.THROUGHPUT));
    assertThat(root.get("results").get(0).get("rtt_ns").isNull()).isTrue();
    assertThat(root.get("results").get(0).get("rtt_percentiles").isNull()).isTrue();
  }

  @Test
  void jsonTellsWhatWasLeftOut() {
    String json =
        JsonReport.format(
            MACHINE,
            "verbena bench matrix",
            true,
            List.of(result(Workload.LOAD)),
            List.of(new LeftOut("rdma softnic", "no native library")));
    JsonNode root = JsonMapper.shared().readTree(json);
    assertThat(root.propertyNames()).containsExactly("meta", "results", "skipped");
    assertThat(root.get("results")).hasSize(1);
    assertThat(root.get("skipped").get(0).get("system").asString()).isEqualTo("rdma softnic");
    assertThat(root.get("skipped").get(0).get("reason").asString()).isEqualTo("no native library");
  }

  @Test
  void textSaysWhatWentWrong() {
    String text = TextReport.format(MACHINE, List.of(result(Workload.THROUGHPUT)));
    assertThat(text)
        .contains("throughput over shm (same host)")
        .contains("1.00 M–2.00 M–3.00 M", "64.0–128–192", "1.00–2.00–3.00")
        .contains(
            "WRONG: throughput uni over shm, 2 nodes, 64 bytes: "
                + "of 100 messages 1 were lost, 2 duplicated, 3 corrupted, 4 out of order");
  }

  @Test
  void textNamesWhatWentWrongAndNothingElse() {
    BenchResult wrong = result(Workload.LATENCY);
    BenchResult right = result(Workload.LOAD, new Spread(1, 1, 1), new Tally(7, 0, 0, 0, 0));
    assertThat(TextReport.format(MACHINE, List.of(wrong, right)).lines())
        .filteredOn(line -> line.contains("WRONG"))
        .singleElement()
        .asString()
        .contains("latency over shm");
    assertThat(TextReport.format(MACHINE, List.of(right))).contains("All 7 messages arrived once");
  }

  @Test
  void aRateThatCouldNotBeTimedIsNone() {
    BenchResult result = result(Workload.THROUGHPUT, new Spread(0, 0, 0));
    assertThat(TextReport.format(MACHINE, List.of(result)).lines())
        .anyMatch(line -> line.matches("64 +3 +- +- .*"));
    String json = JsonReport.format(MACHINE, "", true, List.of(result));
    JsonNode node = JsonMapper.shared().readTree(json).get("results").get(0);
    assertThat(node.get("messages_per_second").isNull()).isTrue();
    assertThat(node.get("megabytes_per_second_max").isNull()).isTrue();
  }

  @Test
  void roundTripsHaveErrorBarsToo() {
    String text = TextReport.format(MACHINE, List.of(result(Workload.LOAD)));
    assertThat(text).contains("2.00 ns–3.00 ns–4.00 ns", "meant/s", "5000");
    JsonNode root = JsonMapper.shared().readTree(json(Workload.LOAD));
    assertThat(root.get("results").get(0).get("target_per_second").asDouble()).isEqualTo(5000);
  }

  @Test
  void tellsWhenThreadsOutnumberCores() {
    assertThat(MACHINE.crowd(2, 2)).isEmpty();
    assertThat(MACHINE.crowd(2, 3)).contains("3 busy threads of 2 nodes on 2 cores");
  }

  @Test
  void resultsThatDifferInSizeAloneStandInOneTable() {
    BenchResult one = result(Workload.THROUGHPUT);
    BenchResult other = result(Workload.LATENCY);
    String text = TextReport.format(MACHINE, List.of(one, other, one));
    assertThat(text.split("throughput over shm \\(", -1)).hasSize(2);
    assertThat(text.split("latency over shm \\(", -1)).hasSize(2);
  }

  private static String json(Workload workload) {
    return JsonReport.format(MACHINE, "verbena bench", true, List.of(result(workload)));
  }

  private static BenchResult result(Workload workload) {
    return result(workload, new Spread(1e6, 2e6, 3e6));
  }

  private static BenchResult result(Workload workload, Spread rate) {
    return result(workload, rate, new Tally(100, 1, 2, 3, 4));
  }

  private static BenchResult result(Workload workload, Spread rate, Tally tally) {
    List<RoundTrips> roundTrips =
        workload.hasReplies()
            ? List.of(
                new RoundTrips(1, 2, 3, 4, 5, 6),
                new RoundTrips(2, 4, 6, 8, 10, 12),
                new RoundTrips(1, 3, 3, 4, 5, 6))
            : List.of();
    BenchPlan.Builder builder = BenchPlan.builder(workload).repeat(3);
    if (workload == Workload.LOAD) {
      builder.ratePerSecond(5000);
    }
    return new BenchResult(
        builder.build(),
        64,
        "shm",
        "same host",
        100,
        rate,
        roundTrips,
        workload.hasReplies() ? List.of(new Percentile(50, 3), new Percentile(90, 6)) : List.of(),
        3,
        new Spread(1, 2, 3),
        new Spread(0, 0, 0),
        80,
        0,
        tally,
        null);
  }
}
