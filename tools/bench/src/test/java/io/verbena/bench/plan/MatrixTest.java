// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Execution;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixTest {

  private static final SystemUnderTest SYSTEM =
      new SystemUnderTest("rdma", Map.of("lane.bytes", "4M"), List.of("-Xmx1g"))
          .onDevice("softnic");

  @Test
  void messagesHalveAsSizesDouble() {
    assertThat(Matrix.count(8_000_000, 1)).isEqualTo(8_000_000);
    assertThat(Matrix.count(8_000_000, 64)).isEqualTo(8_000_000);
    assertThat(Matrix.count(8_000_000, 128)).isEqualTo(4_000_000);
    assertThat(Matrix.count(8_000_000, 1 << 20)).isEqualTo(488);
    assertThat(Matrix.count(1_000_000, 1 << 20)).isEqualTo(64);
  }

  @Test
  void everyPlanMeasuresTheSystem() {
    assertThat(Matrix.FULL.plans(SYSTEM))
        .allMatch(plan -> plan.system().equals(SYSTEM) && plan.repeat() == 5)
        .allMatch(plan -> plan.system().name().equals("rdma softnic"))
        .allMatch(plan -> plan.system().settings().get("lane.bytes").equals("4M"))
        .allMatch(plan -> plan.system().jvmOptions().equals(List.of("-Xmx1g")));
    assertThat(Matrix.FULL.loads(SYSTEM, size -> 5)).allMatch(plan -> plan.system().equals(SYSTEM));
  }

  @Test
  void theMatrixIsWhole() {
    List<BenchPlan> plans = Matrix.FULL.plans(SYSTEM);
    assertThat(of(plans, Workload.THROUGHPUT)).hasSize((5 + 1) * 5 * 21);
    assertThat(of(plans, Workload.LATENCY)).hasSize(5 * 18);
    assertThat(of(plans, Workload.ALLTOALL)).hasSize(3 * 21);
    assertThat(of(plans, Workload.ALLTOALL)).extracting(BenchPlan::nodes).containsOnly(2, 4, 8);
    assertThat(of(plans, Workload.THROUGHPUT))
        .extracting(plan -> HandlerPlace.format(plan.handlers()))
        .containsOnly("inline", "pool:1", "pool:2", "pool:4", "pool:8");
    assertThat(of(plans, Workload.THROUGHPUT))
        .filteredOn(plan -> plan.direction() == Direction.BI)
        .allMatch(plan -> plan.handlers() instanceof Execution.Inline);
  }

  @Test
  void loadsHaveTheRateOfTheirSize() {
    List<BenchPlan> loads = Matrix.QUICK.loads(SYSTEM, size -> 5.0 * size);
    assertThat(loads).allMatch(plan -> plan.workload() == Workload.LOAD && plan.threads() == 1);
    assertThat(loads)
        .extracting(BenchPlan::targetPerSecond)
        .containsExactly(320.0, 5120.0, 5_242_880.0);
  }

  private static List<BenchPlan> of(List<BenchPlan> plans, Workload workload) {
    return plans.stream().filter(plan -> plan.workload() == workload).toList();
  }
}
