// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static final Contest CONTEST = new Contest(Workload.THROUGHPUT, 64);

  private final List<String> rounds = new ArrayList<>();

  @Test
  void itEndsWhenTwoRoundsInARowAgree() throws Exception {
    WarmUp warmUp = warmUp(60, 1, 2, 3, 3.2, 9);
    assertThat(rounds).hasSize(4);
    assertThat(warmUp.isSteady()).isTrue();
    assertThat(warmUp.tally().expected()).isEqualTo(4 * 1000);
  }

  @Test
  void roundsThatAreApartOrTooShortToTimeDoNotAgree() throws Exception {
    warmUp(60, 0, 0, 1, 0.89, 1);
    assertThat(rounds).hasSize(6); // the last rate stays
  }

  @Test
  void twoRoundsThatAreEquallySlowDoNotEndIt() throws Exception {
    warmUp(60, 9, 5, 5, 8.5, 9);
    assertThat(rounds).hasSize(5);
  }

  @Test
  void ofRoundTripsTheShortestAreTheBest() {
    assertThat(Outcomes.roundTrips(100).speed()).isGreaterThan(Outcomes.roundTrips(200).speed());
  }

  @Test
  void whoeverDoesNotSettleIsTakenAsHeIs() throws Exception {
    WarmUp warmUp = warmUp(1e-9, 1, 1);
    assertThat(rounds).hasSize(1);
    assertThat(warmUp.isSteady()).isFalse();
  }

  @Test
  void codeThatIsCompiledLateIsNotSteadyBeforeItsTime() throws Exception {
    List<Sample> samples = List.of(Outcomes.rate(1));
    FakeContestant one = new FakeContestant("one", samples, Tally.NONE, true, rounds, null);
    assertThat(WarmUp.of(one.start(CONTEST), 0.1, 0.02, _ -> {}).isSteady()).isFalse();
    assertThat(warmUp(0.02, 1).isSteady()).isTrue();
  }

  @Test
  void noneIsNone() throws Exception {
    assertThat(warmUp(0, 1, 1).tally().expected()).isEqualTo(0);
    assertThat(rounds).isEmpty();
  }

  @Test
  void theMessagesThatConnectedTheProcessesAreJudgedToo() throws Exception {
    Tally lost = new Tally(1, 1, 0, 0, 0);
    FakeContestant one = new FakeContestant("one", List.of(1.0), lost, rounds);
    assertThat(WarmUp.of(one.start(CONTEST), 0.1, 0, _ -> {}).tally()).isEqualTo(lost);
    assertThat(WarmUp.of(one.start(CONTEST), 0.1, 60, _ -> {}).tally().lost()).isEqualTo(1);
  }

  private WarmUp warmUp(double mostSeconds, double... rates) throws InterruptedException {
    List<Double> list = java.util.Arrays.stream(rates).boxed().toList();
    FakeContestant one = new FakeContestant("one", list, Tally.NONE, rounds);
    return WarmUp.of(one.start(CONTEST), 0.1, mostSeconds, _ -> {});
  }
}
