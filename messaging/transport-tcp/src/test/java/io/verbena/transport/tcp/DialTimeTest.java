// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A host may have several addresses, and none of them may answer. */
class DialTimeTest {

  private static final long DIAL_NS = TimeUnit.SECONDS.toNanos(6);

  @Test
  void eachOfSeveralSilentAddressesGetsItsPart() {
    long restNs = DIAL_NS;
    for (int left = 3; left > 0; left--) {
      long shareNs = TcpTransport.shareNs(restNs, left);
      assertThat(shareNs).isEqualTo(DIAL_NS / 3);
      restNs -= shareNs;
    }
    assertThat(restNs).isZero();
  }

  @Test
  void whatARefusalLeavesGoesToTheOthers() {
    assertThat(TcpTransport.shareNs(DIAL_NS, 1)).isEqualTo(DIAL_NS);
  }
}
