// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class NapTimeTest {

  private final NapTime nap = new NapTime();

  @Test
  void doublesWhileHelpersComeNowAndThen() {
    assertThat(nap.afterHelps(1)).isEqualTo(NapTime.LEAST_NS);
    assertThat(nap.afterHelps(1)).isEqualTo(2 * NapTime.LEAST_NS);
    assertThat(last(() -> nap.afterHelps(NapTime.MANY_HELPS - 1))).isEqualTo(NapTime.MOST_NS);
  }

  /** Five thousand looks a second beside a thread that requests in turn cost it its p99.9. */
  @Test
  void isLongWhileHelpersFollowEachOther() {
    assertThat(last(() -> nap.afterHelps(NapTime.MANY_HELPS))).isEqualTo(NapTime.BESIDE_MANY_NS);
  }

  @Test
  void isShortAgainOnceHelpersBecomeFew() {
    last(() -> nap.afterHelps(1000));
    assertThat(nap.afterHelps(1)).isEqualTo(NapTime.MOST_NS);
  }

  /** A counter that threads change without a lock may go back by one. */
  @Test
  void lostHelpsAreFewHelps() {
    assertThat(last(() -> nap.afterHelps(-1))).isEqualTo(NapTime.MOST_NS);
  }

  @Test
  void isLongerBesideOneWhoHoldsTheRole() {
    assertThat(last(nap::whileHelped)).isEqualTo(NapTime.BESIDE_ONE_NS);
  }

  @Test
  void beginsAnewWithWork() {
    last(() -> nap.afterHelps(1000));
    nap.worked();
    assertThat(nap.whileHelped()).isEqualTo(NapTime.LEAST_NS);
  }

  private static long last(LongSupplier next) {
    long ns = 0;
    for (int i = 0; i < 10; i++) {
      ns = next.getAsLong();
    }
    return ns;
  }
}
