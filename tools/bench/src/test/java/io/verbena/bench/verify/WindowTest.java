// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {

  @Test
  void dividesMessagesByTheTimeTheyTook() {
    assertThat(new Window(1_000, 1_001_000, 500).messagesPerSecond()).isEqualTo(500_000);
  }

  @Test
  void knowsNoRateOfTooFewMessages() {
    assertThat(new Window(1_000, 1_000, 0).messagesPerSecond()).isZero();
    assertThat(Window.EMPTY.messagesPerSecond()).isZero();
  }

  @Test
  void unionReachesFromTheFirstToTheLastMessage() {
    Window early = new Window(100, 500, 4);
    Window late = new Window(300, 900, 6);
    // The first message of the later window lies within the union, that of the earlier starts it.
    Window union = new Window(100, 900, 11);
    assertThat(early.union(late)).isEqualTo(union);
    assertThat(late.union(early)).isEqualTo(union);
    assertThat(early.union(Window.EMPTY)).isEqualTo(early);
    assertThat(Window.EMPTY.union(late)).isEqualTo(late);
  }
}
