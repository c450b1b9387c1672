// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.compare.WarmUp.Warmth;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** By a clock that moves a quarter of a second with each round. */
class WarmUpTest {

  private static final Contest CONTEST = new Contest(Workload.THROUGHPUT, 64);
  private static final double ROUND = 0.25;

  private final List<String> rounds = new ArrayList<>();

  @Test
  void itEndsWhenTwoRoundsInARowAgree() throws Exception {
    WarmUp warmUp = ahead(60, 1, 2, 3, 3.2, 9);
    assertThat(rounds).hasSize(4);
    assertThat(warmUp.warmth()).isEqualTo(Warmth.SETTLED);
    assertThat(warmUp.seconds()).isEqualTo(1);
    assertThat(warmUp.tally().expected()).isEqualTo(4 * 1000);
  }

  @Test
  void roundsThatAreApartOrTooShortToTimeDoNotAgree() throws Exception {
    ahead(60, 0, 0, 1, 0.89, 1);
    assertThat(rounds).hasSize(6); // the last rate stays
  }

  @Test
  void twoRoundsThatAreEquallySlowAfterAFastOneDoNotEndIt() throws Exception {
    ahead(60, 9, 5, 5, 8.5, 9);
    assertThat(rounds).hasSize(5);
  }

  @Test
  void aRoundThatWasALittleFasterIsNotWaitedFor() throws Exception {
    ahead(60, 27, 22, 21.5, 9);
    assertThat(rounds).hasSize(3);
  }

  @Test
  void ofRoundTripsTheShortestAreTheBest() {
    assertThat(Outcomes.roundTrips(100).speed()).isGreaterThan(Outcomes.roundTrips(200).speed());
  }

  @Test
  void whoeverDoesNotSettleInHisTimeIsRestless() throws Exception {
    WarmUp warmUp = ahead(2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2);
    assertThat(rounds).hasSize(8);
    assertThat(warmUp.warmth()).isEqualTo(Warmth.RESTLESS);
    assertThat(warmUp.isWarm()).isTrue();
  }

  @Test
  void compilersThatAreAtWorkAreWaitedForHoweverWellRoundsAgree() throws Exception {
    WarmUp warmUp = late(60, 0.25, 0.25, 0.25, 0.02, 0.01, 0.01, 0, 0, 0);
    assertThat(warmUp.warmth()).isEqualTo(Warmth.SETTLED);
    assertThat(rounds).hasSize(8); // 4 rounds, that is a second, after the last that was compiled
  }

  /** Code is compiled in steps: between them its compilers rest. */
  @Test
  void compilersThatRestForAMomentAreNotDone() throws Exception {
    assertThat(late(60, 0.2, 0, 0, 0, 0.1, 0, 0, 0, 0).seconds()).isEqualTo(9 * ROUND);
  }

  @Test
  void whoIsStillCompiledWhenTimeIsOverIsCold() throws Exception {
    WarmUp warmUp = late(3, 0.2);
    assertThat(warmUp.warmth()).isEqualTo(Warmth.COLD);
    assertThat(warmUp.isWarm()).isFalse();
    assertThat(rounds).hasSize(12);
  }

  @Test
  void noneIsColdAndRunsNothing() throws Exception {
    WarmUp none = late(0, 0);
    assertThat(none.tally().expected()).isEqualTo(0);
    assertThat(none.warmth()).isEqualTo(Warmth.COLD);
    assertThat(rounds).isEmpty();
  }

  @Test
  void theMessagesThatConnectedTheProcessesAreJudgedToo() throws Exception {
    Tally lost = new Tally(1, 1, 0, 0, 0);
    FakeContestant one = new FakeContestant("one", List.of(1.0), lost, rounds);
    assertThat(warmUp(one, 0).tally()).isEqualTo(lost);
    assertThat(warmUp(one, 60).tally().lost()).isEqualTo(1);
  }

  /** Of one that is compiled ahead of time, by its rates. */
  private WarmUp ahead(double mostSeconds, double... rates) throws InterruptedException {
    List<Double> list = Arrays.stream(rates).boxed().toList();
    return warmUp(new FakeContestant("one", list, Tally.NONE, rounds), mostSeconds);
  }

  /** Of a JVM that is as fast in each round, by the time its compilers need in each. */
  private WarmUp late(double mostSeconds, double... compilerSeconds) throws InterruptedException {
    List<Sample> samples =
        Arrays.stream(compilerSeconds)
            .mapToObj(s -> new Sample(1000, 1, new Tally(1000, 0, 0, 0, 0), null, 0.5, s, 0))
            .toList();
    return warmUp(new FakeContestant("one", samples, Tally.NONE, true, rounds, null), mostSeconds);
  }

  private WarmUp warmUp(FakeContestant one, double mostSeconds) throws InterruptedException {
    return WarmUp.of(one.start(CONTEST), ROUND, mostSeconds, () -> ROUND * rounds.size(), _ -> {});
  }
}
