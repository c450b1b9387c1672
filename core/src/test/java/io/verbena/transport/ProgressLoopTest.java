// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The receiving role: who holds it, who sleeps in it, who wakes whom. */
class ProgressLoopTest {

  /** Well below the loop's longest sleep of 200 ms, which is how a lost wake-up shows. */
  private static final long PROMPTLY_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final BellLoop loop = new BellLoop(0);

  @AfterEach
  void stop() {
    loop.stop();
  }

  @Test
  void helperDoesTheRoundsItself() {
    long item = loop.post();

    help(() -> loop.isTaken(item));

    assertThat(loop.isTaken(item)).isTrue();
    assertThat(loop.sleeps).hasValue(0);
  }

  /** Another thread may do the round that brings the answer after the helper's last look at it. */
  @Test
  void helperDoesNotSleepOnAnAnswerThatCameBeforeItTookTheRole() {
    AtomicBoolean answered = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    // The first 32 rounds find nothing; with the look that follows, somebody else brings the answer.
    BooleanSupplier done =
        () -> looks.incrementAndGet() < 32 ? answered.get() : answered.getAndSet(true);

    help(done);

    assertThat(answered).isTrue();
    assertThat(loop.sleeps).as("sleeps with the answer there already").hasValue(0);
  }

  private void help(BooleanSupplier done) {
    loop.helpUntil(done, System.nanoTime() + PATIENCE_NS);
  }
}
