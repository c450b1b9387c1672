// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Machine;
import io.verbena.bench.plan.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareJsonTest {

  private static final Machine MACHINE = new Machine("abc", "JDK", "CPU", 2, "Linux");
  private static final Comparison COMPARISON =
      new Comparison(
          List.of(Workload.THROUGHPUT, Workload.LATENCY),
          List.of(64, 1024, 65_536),
          0.4,
          1.5,
          5,
          Double.POSITIVE_INFINITY);

  private final JsonNode root = parse(Outcomes.full());

  private static JsonNode parse(Outcome outcome) {
    String text = CompareJson.format(MACHINE, "verbena compare", COMPARISON, outcome);
    return JsonMapper.builder().build().readTree(text);
  }

  @Test
  void everyFieldIsThereInOrder() {
    assertThat(root.propertyNames())
        .containsExactly("meta", "systems", "results", "skipped", "failures");
    assertThat(root.get("meta").propertyNames())
        .containsExactly(
            "complete",
            "commit",
            "jdk",
            "cpu",
            "cores",
            "kernel",
            "command",
            "seconds",
            "warmup_seconds",
            "repeat",
            "budget_seconds",
            "clean");
    assertThat(root.get("systems").get(0).propertyNames())
        .containsExactly("system", "wire", "version", "checked", "settings");
    for (JsonNode result : root.get("results")) {
      assertThat(result.propertyNames())
          .containsExactly(
              "system",
              "workload",
              "wire",
              "size_bytes",
              "rounds",
              "warmup_seconds",
              "warmth",
              "slowest",
              "slow_rounds",
              "slow_rounds_of_far_cores",
              "cores_round_trip_ns",
              "cores_round_trip_ns_min",
              "cores_round_trip_ns_max",
              "messages",
              "messages_per_second",
              "messages_per_second_min",
              "messages_per_second_max",
              "megabytes_per_second",
              "rtt_ns",
              "rtt_percentiles",
              "cpu_seconds",
              "cpu_seconds_min",
              "cpu_seconds_max",
              "ratio",
              "lost",
              "duplicated",
              "corrupted",
              "reordered");
    }
    assertThat(root.get("skipped").get(0).propertyNames())
        .containsExactly("system", "reason", "install");
  }

  @Test
  void aRatioNamesItsBaselineAndItsPairs() {
    JsonNode baseline = root.get("results").get(0);
    assertThat(baseline.get("ratio").isNull()).isTrue();
    JsonNode ratio = root.get("results").get(1).get("ratio");
    assertThat(ratio.propertyNames())
        .containsExactly(
            "baseline",
            "of",
            "median",
            "min",
            "max",
            "verdict",
            "help",
            "low",
            "high",
            "confidence",
            "pairs");
    assertThat(ratio.get("baseline").asString()).isEqualTo("verbena-shm");
    assertThat(ratio.get("of").asString()).isEqualTo("messages_per_second");
    assertThat(ratio.get("pairs")).hasSize(6);
    assertThat(ratio.get("verdict").asString()).isEqualTo("slower");
    assertThat(ratio.get("confidence").asDouble()).isEqualTo(0.96875);
  }

  @Test
  void whatNobodyLookedAtIsNull() {
    JsonNode unchecked = root.get("results").get(3);
    assertThat(unchecked.get("system").asString()).isEqualTo("three-shm");
    assertThat(unchecked.get("lost").isNull()).isTrue();
    assertThat(root.get("results").get(2).get("lost").asLong()).isZero();
    assertThat(unchecked.get("rtt_ns").isNull()).isTrue();
  }

  @Test
  void roundTripsHaveACurve() {
    JsonNode line = root.get("results").get(13);
    assertThat(line.get("workload").asString()).isEqualTo("latency");
    assertThat(line.get("rtt_ns").propertyNames())
        .contains("mean", "p50", "p50_min", "p50_max", "p95", "p99", "p999", "max", "max_max");
    double last = 0;
    JsonNode curve = line.get("rtt_percentiles");
    // Of 50,000 round trips ten lie beyond the one, and five beyond the next, 99.99.
    assertThat(curve.get(curve.size() - 1).get(0).asDouble()).isEqualTo(99.95);
    for (JsonNode point : curve) {
      assertThat(point.get(1).asDouble()).isGreaterThanOrEqualTo(last);
      last = point.get(1).asDouble();
    }
  }

  @Test
  void aRunThatWasEndedEarlySaysSo() {
    Outcome outcome = new Outcome();
    outcome.add(Outcomes.pairing(new double[] {1}, new double[] {2}));
    JsonNode partial = parse(outcome);
    assertThat(partial.get("meta").get("complete").asBoolean()).isFalse();
    assertThat(partial.get("results")).hasSize(1);
    assertThat(CompareText.format(MACHINE, COMPARISON, outcome)).contains("ended early");
  }

  @Test
  void whoFailedBeforeAnyContestHasNone() {
    Outcome outcome = new Outcome();
    outcome.add(new Outcome.Failure("two", null, "its build failed"));
    JsonNode failure = parse(outcome).get("failures").get(0);
    assertThat(failure.propertyNames())
        .containsExactly("system", "workload", "size_bytes", "reason");
    assertThat(failure.get("workload").isNull()).isTrue();
    assertThat(failure.get("size_bytes").isNull()).isTrue();
    assertThat(CompareText.format(MACHINE, COMPARISON, outcome))
        .contains("FAILED: two: its build failed", "Nothing was measured");
  }

  @Test
  void columnsStandUnderTheirHeadings() {
    assertThat(CompareText.format(MACHINE, COMPARISON, Outcomes.full()).lines())
        .filteredOn(line -> line.startsWith("system"))
        .hasSize(2)
        .allMatch(line -> line.matches("system +size +.*"));
  }

  @Test
  void theTableMarksWhoChecksNothingAndWhoIsAbsent() {
    assertThat(CompareText.format(MACHINE, COMPARISON, Outcomes.full()))
        .contains("three-shm *", "* checks nothing", "verbena-shm", "One way", "Round trips")
        .contains("absent: what it needs is not installed; install it:  apt-get install absent")
        .contains("no more than one core for each process")
        .contains("arrived once, whole and in order");
  }
}
