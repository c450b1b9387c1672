// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinTimeTest {

  private static final long LEAST = 20_000;
  private static final long MOST = LEAST * SpinTime.MOST;

  private final SpinTime spin = new SpinTime(LEAST);

  @Test
  void beginsAsConfigured() {
    assertThat(spin.ns()).isEqualTo(LEAST);
  }

  @Test
  void shortSleepsDoubleItUpToTheMost() {
    spin.slept(80_000);
    assertThat(spin.ns()).isEqualTo(2 * LEAST);
    for (int i = 0; i < 10; i++) {
      spin.slept(MOST - 1);
    }
    assertThat(spin.ns()).isEqualTo(MOST);
  }

  @Test
  void longSleepTakesItBack() {
    spin.slept(1);
    spin.slept(1);
    spin.slept(MOST);
    assertThat(spin.ns()).isEqualTo(LEAST);
  }

  /** Who wants no spinning gets none. */
  @Test
  void staysWithoutSpinning() {
    SpinTime none = new SpinTime(0);
    none.slept(0);
    none.slept(1);
    assertThat(none.ns()).isZero();
  }

  /** {@code idle.spin} may be ten seconds. */
  @Test
  void longestSettingDoesNotOverflow() {
    SpinTime longest = new SpinTime(10_000_000_000L);
    for (int i = 0; i < 10; i++) {
      longest.slept(1);
    }
    assertThat(longest.ns()).isEqualTo(160_000_000_000L);
  }
}
