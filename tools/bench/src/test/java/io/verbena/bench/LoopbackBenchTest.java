// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Direction;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every workload, in one process. */
@Tag("timing")
@Timeout(600)
class LoopbackBenchTest {

  @ParameterizedTest
  @EnumSource(
      value = Workload.class,
      names = {"THROUGHPUT", "LATENCY", "ALLTOALL"})
  void everyWorkloadVerifiesItsMessages(Workload workload) throws Exception {
    BenchResult result = only(plan(workload).limit(Limit.ofMessages(2000)));
    assertThat(result.tally().isClean()).isTrue();
    assertThat(result.messages()).isEqualTo(workload == Workload.ALLTOALL ? 8000 : 4000);
    assertThat(result.transport()).isEqualTo("loopback");
    assertThat(result.messagesPerSecond().min()).isPositive();
    assertThat(result.roundTrips()).hasSize(workload == Workload.LATENCY ? 2 : 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 64, 1000, 65_536})
  void viewsOfEverySizeArrive(int size) throws Exception {
    BenchResult result =
        only(
            plan(Workload.THROUGHPUT)
                .path(MessagePath.VIEW)
                .sizes(List.of(size))
                .limit(Limit.ofMessages(500)));
    assertThat(result.tally().isClean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 9, 64, 1000, 1 << 20})
  void recordsOfEverySizeArrive(int size) throws Exception {
    BenchResult result =
        only(plan(Workload.THROUGHPUT).sizes(List.of(size)).limit(Limit.ofMessages(100)));
    assertThat(result.tally().isClean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inline", "pool:2", "virtual"})
  void handlersRunAnywhere(String handlers) throws Exception {
    BenchResult result =
        only(
            plan(Workload.THROUGHPUT)
                .handlers(HandlerPlace.parse(handlers))
                .threads(3)
                .direction(Direction.BI)
                .limit(Limit.ofMessages(3000)));
    assertThat(result.tally().isClean()).isTrue();
    assertThat(result.messages()).isEqualTo(12_000);
  }

  @Test
  void idleNodesAreMeasuredAndWokenUp() throws Exception {
    BenchResult result = only(plan(Workload.IDLE).limit(Limit.ofSeconds(0.2)));
    assertThat(result.cpuPercent().median()).isNotNegative();
    assertThat(result.roundTrips()).hasSize(2);
    assertThat(result.memory().toldBytes()).isPositive();
    assertThat(result.memory().measured()).as("of no more than one connection").isNull();
  }

  @Test
  void connectionsOfIdleNodesTellWhatTheyTake() throws Exception {
    BenchResult result = only(plan(Workload.IDLE).nodes(5).repeat(1).limit(Limit.ofSeconds(0.1)));
    assertThat(result.tally().isClean()).isTrue();
    assertThat(result.memory().toldBytes()).isBetween(1L, 64L << 10);
    assertThat(result.memory().measured()).isNotNull(); // how much counts what this JVM frees, too
  }

  @Test
  void severalSizesGiveSeveralResults() throws Exception {
    BenchPlan plan =
        plan(Workload.THROUGHPUT).sizes(List.of(8, 64)).limit(Limit.ofMessages(100)).build();
    assertThat(Bench.run(plan, Progress.SILENT))
        .extracting(BenchResult::sizeBytes)
        .containsExactly(8, 64);
  }

  @Test
  void resultsAreGivenAfterEachRound() throws Exception {
    List<BenchPlan> plans =
        List.of(
            plan(Workload.THROUGHPUT).limit(Limit.ofMessages(100)).build(),
            plan(Workload.LATENCY).limit(Limit.ofMessages(10)).build());
    List<Integer> rounds = new ArrayList<>();
    Bench.run(
        plans,
        Progress.SILENT,
        soFar -> rounds.add(soFar.stream().mapToInt(BenchResult::rounds).sum()));
    assertThat(rounds).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aLoadKeepsItsRate() throws Exception {
    BenchResult result =
        only(
            plan(Workload.LOAD)
                .ratePerSecond(2000)
                .threads(2)
                .repeat(1)
                .limit(Limit.ofSeconds(0.5)));
    assertThat(result.tally().isClean()).isTrue();
    assertThat(result.messages()).isEqualTo(1000);
    assertThat(result.messagesPerSecond().median()).isBetween(1.0, 2010.0);
  }

  /** Less than one request of each thread in a round. */
  @Test
  void aRoundOfASlowLoadEnds() throws Exception {
    BenchResult result =
        only(plan(Workload.LOAD).ratePerSecond(1).threads(2).repeat(1).limit(Limit.ofSeconds(0.1)));
    assertThat(result.messages()).isEqualTo(2);
  }

  @Test
  void whatWaitsBehindASlowRequestCountsAsSlow() throws Exception {
    // A rate no machine reaches: every request is sent later than it is meant to be.
    BenchResult result =
        only(plan(Workload.LOAD).ratePerSecond(10e6).repeat(1).limit(Limit.ofMessages(50_000)));
    RoundTrips ns = result.roundTrips().getFirst();
    double lastMeantNs = 50_000 / 10e6 * 1e9;
    double tookNs = 50_000 / result.messagesPerSecond().median() * 1e9;
    assertThat(ns.max()).isGreaterThan(0.5 * (tookNs - lastMeantNs));
    assertThat(ns.p50()).isGreaterThan(0.1 * (tookNs - lastMeantNs));
  }

  @Test
  void nodesThatCannotBeOpenedAreNamed() {
    BenchPlan plan =
        plan(Workload.THROUGHPUT)
            .system(SystemUnderTest.of("loopback", Map.of("no.such.key", "1")))
            .build();
    assertThatThrownBy(() -> Bench.run(plan, Progress.SILENT))
        .isInstanceOf(BenchException.class)
        .hasMessageMatching("node [12] failed: .*") // whoever is heard first
        .hasMessageContaining("no.such.key")
        .hasMessageNotContainingAny("Exception", ".java:");
  }

  private static BenchPlan.Builder plan(Workload workload) {
    return BenchPlan.builder(workload)
        .system(SystemUnderTest.of("loopback"))
        .warmupSeconds(0)
        .repeat(2);
  }

  private static BenchResult only(BenchPlan.Builder plan) throws InterruptedException {
    return Bench.run(plan.build(), Progress.SILENT).getFirst();
  }
}
