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
        .containsExactly("commit", "jdk", "cpu", "cores", "kernel", "command");
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
            "cpu_seconds",
            "lost",
            "duplicated",
            "corrupted");
    assertThat(result.get("rtt_ns").propertyNames())
        .containsExactly("mean", "p50", "p95", "p99", "p999", "max");
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
  }

  @Test
  void textSaysWhatWentWrong() {
    String text = TextReport.format(MACHINE, List.of(result(Workload.THROUGHPUT)));
    assertThat(text)
        .contains("throughput over shm (same host)")
        .contains("2.00 M")
        .contains("WRONG: of 100 messages 1 were lost, 2 duplicated, 3 corrupted, 4 out of order");
  }

  private static String json(Workload workload) {
    return JsonReport.format(MACHINE, "verbena bench", List.of(result(workload)));
  }

  private static BenchResult result(Workload workload) {
    Spread rate = new Spread(1e6, 2e6, 3e6);
    RoundTrips roundTrips = workload.hasReplies() ? new RoundTrips(1, 2, 3, 4, 5, 6) : null;
    return new BenchResult(
        BenchPlan.builder(workload).build(),
        64,
        "shm",
        "same host",
        100,
        rate,
        roundTrips,
        new Spread(1, 1, 1),
        new Spread(0, 0, 0),
        80,
        0,
        new Tally(100, 1, 2, 3, 4));
  }
}
