// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleTimeTest {

  /** So short that any time is longer. */
  private static final long NOTHING = -1;

  private static final long NEVER_OVER = Long.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 32})
  void asManyRoundsAsIsSaidKeepTheCoreAndDoNotCountAsSpinning(int looks) {
    IdleTime idle = new IdleTime(looks);
    for (int again = 0; again < 3; again++) {
      for (int round = 0; round < looks; round++) {
        assertThat(idle.yields()).isFalse();
        assertThat(idle.isLongerThan(NOTHING)).isFalse();
      }
      assertThat(idle.yields()).isTrue();
      assertThat(idle.isLongerThan(NOTHING)).isTrue();
      idle.reset();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 32})
  void theTimeOfSpinningIsCountedFromTheFirstRoundThatYields(int looks) throws Exception {
    IdleTime idle = new IdleTime(looks);
    for (int round = 0; round < 1000; round++) {
      assertThat(idle.isLongerThan(NEVER_OVER)).isFalse();
    }
    Thread.sleep(2);
    assertThat(idle.isLongerThan(1_000_000)).isTrue();
    idle.reset();
    for (int round = 0; round < looks; round++) {
      assertThat(idle.isLongerThan(0)).isFalse();
    }
    assertThat(idle.isLongerThan(0)).isFalse(); // it begins now
  }
}
