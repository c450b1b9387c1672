// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Spread;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.verify.Tally;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairingTest {

  @Test
  void theRatioIsTheMedianOfPairsAndNotTheRatioOfMedians() {
    // The machine slows down under both: each pair says 2, the medians would say 1.
    Pairing pairing = Outcomes.pairing(new double[] {100, 10, 1}, new double[] {200, 20, 2});
    assertThat(pairing.ratio()).isEqualTo(new Spread(2, 2, 2));
    Pairing shifted = Outcomes.pairing(new double[] {10, 20, 40}, new double[] {20, 10, 20});
    assertThat(shifted.ratios()).containsExactly(2.0, 0.5, 0.5);
    assertThat(shifted.ratio()).isEqualTo(new Spread(0.5, 0.5, 2));
  }

  @Test
  void aRatioOfRoundTripsIsThatOfTheirMedians() {
    Pairing pairing =
        new Pairing(
            Outcomes.ROUND_TRIPS,
            "peer",
            "verbena",
            List.of(Outcomes.roundTrips(3000)),
            List.of(Outcomes.roundTrips(1000)),
            WarmUp.NONE,
            WarmUp.NONE,
            Tally.NONE);
    assertThat(pairing.ratios().getFirst()).isBetween(2.99, 3.01);
    assertThat(pairing.hasDistribution()).isTrue();
  }

  @Test
  void theBaselineHasNoRatio() {
    Pairing pairing =
        new Pairing(
            Outcomes.ONE_WAY,
            "verbena",
            "verbena",
            List.of(Outcomes.rate(1)),
            List.of(),
            WarmUp.NONE,
            WarmUp.NONE,
            Tally.NONE);
    assertThat(pairing.isBaseline()).isTrue();
    assertThat(pairing.ratio()).isNull();
  }

  @Test
  void onlyTheJudgementCountsTheWarmUpAndRoundsAlone() {
    Pairing pairing = Outcomes.pairing(new double[] {1, 1}, new double[] {1, 1});
    assertThat(pairing.messages()).isEqualTo(2000);
    assertThat(pairing.tally().expected()).isEqualTo(2018);
  }

  @Test
  void whoeverWasColdHasNoVerdictNorWhoIsComparedWithIt() {
    WarmUp unsteady = new WarmUp(Tally.NONE, WarmUp.Warmth.COLD, 10);
    WarmUp restless = new WarmUp(Tally.NONE, WarmUp.Warmth.RESTLESS, 10);
    assertThat(verdict(1000, 1000, restless, restless)).isEqualTo(Verdict.Kind.FASTER);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, Outcomes.STEADY))
        .isEqualTo(Verdict.Kind.FASTER);
    assertThat(verdict(1000, 1000, unsteady, Outcomes.STEADY)).isEqualTo(Verdict.Kind.NONE);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, unsteady)).isEqualTo(Verdict.Kind.NONE);
  }

  @Test
  void whoeverLostMessagesHasNoVerdictNorWhoIsComparedWithIt() {
    WarmUp losing = new WarmUp(new Tally(7, 1, 0, 0, 0), WarmUp.Warmth.SETTLED, 10);
    assertThat(verdict(999, 1000, Outcomes.STEADY, Outcomes.STEADY)).isEqualTo(Verdict.Kind.NONE);
    assertThat(verdict(1000, 999, Outcomes.STEADY, Outcomes.STEADY)).isEqualTo(Verdict.Kind.NONE);
    assertThat(verdict(1000, 1000, losing, Outcomes.STEADY)).isEqualTo(Verdict.Kind.NONE);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, losing)).isEqualTo(Verdict.Kind.NONE);
  }

  /** Of six pairs in which the peer is faster; of a thousand messages so many arrive. */
  private static Verdict.Kind verdict(
      long arrived, long baselineArrived, WarmUp warmUp, WarmUp baselineWarmUp) {
    return Outcomes.pairing(
            Collections.nCopies(6, Outcomes.rate(2, arrived)),
            Collections.nCopies(6, Outcomes.rate(1, baselineArrived)),
            warmUp,
            baselineWarmUp)
        .verdict()
        .kind();
  }

  @Test
  void roundsWithoutAPartnerAreRefused() {
    assertThatThrownBy(() -> Outcomes.pairing(new double[] {1, 1}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 rounds of the baseline for 1");
  }

  @Test
  void slowRoundsAreShownAndNotDropped() {
    double[] rates = {100, 100, 100, 100, 59, 15, 61};
    Pairing pairing = Outcomes.pairing(new double[] {1, 1, 1, 1, 1, 1, 1}, rates);
    assertThat(pairing.slowRounds()).isEqualTo(2);
    assertThat(pairing.slowest()).isEqualTo(0.15);
    assertThat(pairing.ratios()).hasSize(7);
  }

  @Test
  void aSlowRoundIsPutDownToFarProcessorsWhereTheyWere() {
    Sample usual = Outcomes.rate(100);
    Sample slow = Outcomes.rate(10);
    List<Sample> samples =
        List.of(usual, usual, usual, usual, slow, slow.withCoresNs(151), usual.withCoresNs(500));
    Pairing pairing = Outcomes.pairing(samples, samples, Outcomes.STEADY, Outcomes.STEADY);
    assertThat(pairing.slowRounds()).isEqualTo(2);
    assertThat(pairing.slowRoundsOfFarCores()).isEqualTo(1);
  }

  @Test
  void ofRoundTripsTheLongOnesAreTheSlowOnes() {
    List<Sample> samples = List.of(300L, 300L, 3000L).stream().map(Outcomes::roundTrips).toList();
    Pairing pairing =
        new Pairing(
            Outcomes.ROUND_TRIPS,
            "a",
            "a",
            samples,
            List.of(),
            WarmUp.NONE,
            WarmUp.NONE,
            Tally.NONE);
    assertThat(pairing.slowRounds()).isEqualTo(1);
    assertThat(pairing.slowest()).isBetween(0.099, 0.101);
  }

  @Test
  void whoIsColdOrLosesMessagesIsToldWhatWouldHelp() {
    WarmUp cold = new WarmUp(Tally.NONE, WarmUp.Warmth.COLD, 10);
    List<Sample> samples = Collections.nCopies(6, Outcomes.rate(1));
    assertThat(Outcomes.pairing(samples, samples, Outcomes.STEADY, cold).verdict().help())
        .contains("compilers of verbena were at work after 10 s", "--warmup");
    assertThat(Outcomes.pairing(samples, samples, cold, cold).verdict().help())
        .contains("compilers of peer");
    List<Sample> losing = Collections.nCopies(6, Outcomes.rate(1, 999));
    assertThat(Outcomes.pairing(losing, samples, Outcomes.STEADY, Outcomes.STEADY).verdict().help())
        .contains("loses");
  }
}
