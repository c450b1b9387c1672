// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoreDistanceTest {

  @Test
  void aWordComesBackAgainAndAgainAndTheOtherThreadEnds() throws Exception {
    Assumptions.assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1, "there is one processor only");
    try (CoreDistance distance = CoreDistance.open()) {
      for (int i = 0; i < 5; i++) {
        assertThat(distance.roundTripNs()).isBetween(1.0, 50e6);
      }
    }
  }
}
