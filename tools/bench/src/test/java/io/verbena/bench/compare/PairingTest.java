// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Spread;
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
  void whoeverDidNotSettleHasNoVerdictNorWhoIsComparedWithIt() {
    WarmUp unsteady = new WarmUp(Tally.NONE, false, 10);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, Outcomes.STEADY)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(1000, 1000, unsteady, Outcomes.STEADY)).isEqualTo(Verdict.NONE);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, unsteady)).isEqualTo(Verdict.NONE);
  }

  @Test
  void whoeverLostMessagesHasNoVerdictNorWhoIsComparedWithIt() {
    WarmUp losing = new WarmUp(new Tally(7, 1, 0, 0, 0), true, 10);
    assertThat(verdict(999, 1000, Outcomes.STEADY, Outcomes.STEADY)).isEqualTo(Verdict.NONE);
    assertThat(verdict(1000, 999, Outcomes.STEADY, Outcomes.STEADY)).isEqualTo(Verdict.NONE);
    assertThat(verdict(1000, 1000, losing, Outcomes.STEADY)).isEqualTo(Verdict.NONE);
    assertThat(verdict(1000, 1000, Outcomes.STEADY, losing)).isEqualTo(Verdict.NONE);
  }

  /** Of five pairs in which the peer is faster; of a thousand messages so many arrive. */
  private static Verdict verdict(
      long arrived, long baselineArrived, WarmUp warmUp, WarmUp baselineWarmUp) {
    return Outcomes.pairing(
            Collections.nCopies(5, Outcomes.rate(2, arrived)),
            Collections.nCopies(5, Outcomes.rate(1, baselineArrived)),
            warmUp,
            baselineWarmUp)
        .verdict();
  }

  @Test
  void roundsWithoutAPartnerAreRefused() {
    assertThatThrownBy(() -> Outcomes.pairing(new double[] {1, 1}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 rounds of the baseline for 1");
  }
}
