// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Direction;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every workload, in one process. */
@Timeout(60)
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
    assertThat(result.roundTrips() != null).isEqualTo(workload == Workload.LATENCY);
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
    assertThat(result.roundTrips()).isNotNull();
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
  void nodesThatCannotBeOpenedAreNamed() {
    BenchPlan plan = plan(Workload.THROUGHPUT).settings(Map.of("no.such.key", "1")).build();
    assertThatThrownBy(() -> Bench.run(plan, Progress.SILENT))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("node 1")
        .hasMessageContaining("no.such.key");
  }

  private static BenchPlan.Builder plan(Workload workload) {
    return BenchPlan.builder(workload).transport("loopback").warmupSeconds(0).repeat(2);
  }

  private static BenchResult only(BenchPlan.Builder plan) throws InterruptedException {
    return Bench.run(plan.build(), Progress.SILENT).getFirst();
  }
}
