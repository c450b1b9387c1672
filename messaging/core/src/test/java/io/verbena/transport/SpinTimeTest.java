// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("timing")
class SpinTimeTest {

  private static final long LEAST = 20_000;
  private static final long MOST = LEAST * SpinTime.MOST;

  private static final long LIMIT = 200_000_000;

  private final SpinTime spin = new SpinTime(LEAST);

  @Test
  void beginsAsConfigured() {
    assertThat(spin.ns()).isEqualTo(LEAST);
  }

  @Test
  void shortSleepsDoubleItUpToTheMost() {
    spin.slept(80_000, LIMIT);
    assertThat(spin.ns()).isEqualTo(2 * LEAST);
    for (int i = 0; i < 10; i++) {
      spin.slept(MOST - 1, LIMIT);
    }
    assertThat(spin.ns()).isEqualTo(MOST);
  }

  @Test
  void longSleepTakesItBack() {
    spin.slept(1, LIMIT);
    spin.slept(1, LIMIT);
    spin.slept(MOST, LIMIT);
    assertThat(spin.ns()).isEqualTo(LEAST);
  }

  /** Who wants no spinning gets none. */
  @Test
  void staysWithoutSpinning() {
    SpinTime none = new SpinTime(0);
    none.slept(0, LIMIT);
    none.slept(1, LIMIT);
    assertThat(none.ns()).isZero();
  }

  /** {@code idle.spin} may be ten seconds; an idle node sleeps at least sometimes. */
  @Test
  void longSettingIsNotExceeded() {
    SpinTime longest = new SpinTime(10_000_000_000L);
    longest.slept(1, LIMIT);
    assertThat(longest.ns()).isEqualTo(10_000_000_000L);
    SpinTime middling = new SpinTime(200_000);
    for (int i = 0; i < 10; i++) {
      middling.slept(1, LIMIT);
    }
    assertThat(middling.ns()).isEqualTo(SpinTime.WORTH_IT_NS);
  }

  /** A time that was over is no sign that anything comes soon. */
  @Test
  void sleepThatNobodyEndedIsNoShortOne() {
    spin.slept(1, LIMIT);
    spin.slept(50_000, 50_000);
    assertThat(spin.ns()).isEqualTo(LEAST);
  }
}
