// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.plan.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetTest {

  private double now = 1000;

  private Budget budget(double seconds, int parts) {
    Comparison comparison =
        new Comparison(List.of(Workload.THROUGHPUT), List.of(64), 0.2, 10, 5, seconds);
    assertThat(comparison.countedSeconds()).isBetween(3.0, 4.0);
    return new Budget(comparison, parts, () -> now);
  }

  @Test
  void everybodyMayWarmUpForHisShareOfTheRest() {
    Budget budget = budget(110, 10);
    double first = budget.nextWarmUpSeconds();
    assertThat(first).isBetween(7.0, 8.0); // 11 without what counts
    now += 11;
    assertThat(budget.nextWarmUpSeconds()).isEqualTo(first);
    now += 1; // did not start: the others have more
    assertThat(budget.nextWarmUpSeconds()).isGreaterThan(first);
  }

  @Test
  void withoutALimitTheWarmUpMayTakeItsTime() {
    Budget budget = budget(Double.POSITIVE_INFINITY, 3);
    assertThat(budget.nextWarmUpSeconds()).isEqualTo(10);
    assertThat(budget.hasRoom()).isTrue();
  }

  @Test
  void whoComesLateMayWarmUpAndWhoComesTooLateIsLeftOutInsteadOfBeingMeasuredCold() {
    Budget budget = budget(80, 20);
    now += 69;
    assertThat(budget.hasRoom()).isTrue();
    assertThat(budget.nextWarmUpSeconds()).isEqualTo(6);
    now += 0.5;
    assertThat(budget.hasRoom()).isTrue();
    assertThat(budget.hasRoomWithBaseline()).isFalse();
    now += 3;
    assertThat(budget.hasRoom()).isFalse();
  }

  @Test
  void whatTheLeftOutWouldHaveNeededIsForTheOthers() {
    Budget budget = budget(110, 12);
    budget.leaveOut(2);
    assertThat(budget.nextWarmUpSeconds()).isEqualTo(budget(110, 10).nextWarmUpSeconds());
  }
}
