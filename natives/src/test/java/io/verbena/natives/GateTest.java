// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Threads.Crew;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(600)
class GateTest {

  private final Gate gate = new Gate();

  @Test
  void manyMayBeInsideAndComeAgain() {
    assertThat(gate.enter()).isTrue();
    assertThat(gate.enter()).isTrue();
    gate.leave();
    gate.leave();
    assertThat(gate.enter()).isTrue();
    assertThat(gate.isClosed()).isFalse();
  }

  @Test
  void closedOneTurnsAwayForGood() {
    assertThat(gate.close()).isTrue();
    assertThat(gate.isClosed()).isTrue();
    assertThat(gate.enter()).isFalse();
  }

  @Test
  void onlyTheFirstCloses() {
    assertThat(gate.close()).isTrue();
    assertThat(gate.enter()).isFalse();
    assertThat(gate.close()).isFalse();
  }

  @Test
  void whoClosesWaitsForThoseInside() throws Exception {
    assertThat(gate.enter()).isTrue();
    AtomicBoolean left = new AtomicBoolean();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  while (!gate.isClosed()) {
                    Thread.onSpinWait();
                  }
                  left.set(true); // before the leave that lets the closer go on
                  gate.leave();
                  return null;
                });
    assertThat(gate.close()).isTrue();
    assertThat(left).isTrue();
    crew.join();
  }

  /** What the gate is for: nobody is in there when it is taken away. */
  @Test
  void nobodyIsInsideAfterTheCloseHoweverManyComeMeanwhile() throws Exception {
    for (int round = 0; round < 200; round++) {
      assertNobodyIsInsideAfterTheClose(new Gate());
    }
  }

  private static void assertNobodyIsInsideAfterTheClose(Gate gate) throws Exception {
    AtomicBoolean gone = new AtomicBoolean();
    CountDownLatch busy = new CountDownLatch(2);
    Crew crew = new Crew();
    for (int thread = 0; thread < 2; thread++) {
      crew.start(
          () -> {
            while (gate.enter()) {
              busy.countDown();
              Thread.yield();
              assertThat(gone).isFalse();
              gate.leave();
            }
            return null;
          });
    }
    busy.await();
    gate.close();
    gone.set(true);
    crew.join();
  }
}
