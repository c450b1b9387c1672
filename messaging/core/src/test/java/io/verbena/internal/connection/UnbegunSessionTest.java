// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.RefusedException;
import org.junit.jupiter.api.Test;

/** A session for which there is no memory, perhaps each time that a peer dials. */
class UnbegunSessionTest {

  private final TestHost left = new TestHost(1);
  private final HandWire wire = new HandWire(left, new TestHost(2));

  @Test
  void leavesNothingAndDoesNotCount() {
    wire.leftLacksMemory(true);
    assertThatThrownBy(wire::link).hasCauseInstanceOf(RefusedException.class);
    assertThat(left.counter("connections.made")).isZero();
    assertThat(left.metrics().openSentLanes()).isZero();
    wire.close();
  }

  @Test
  void countsOnceItBegins() {
    wire.link();
    assertThat(left.counter("connections.made")).isEqualTo(1);
    assertThat(left.metrics().openSentLanes()).isEqualTo(2);
    wire.close();
  }
}
