// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.ProgressLoop;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node ends once, whoever asks for it. */
@Tag("timing")
@Timeout(600)
class EndingTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger ends = new AtomicInteger();
  private final Ending ending = new Ending(1, ProgressLoop::currentThreadReceives, this::end);

  private void end(long untilNs) {
    begun.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    ends.incrementAndGet();
    ending.begin(Duration.ZERO); // a listener that is told of it may ask again
  }

  @Test
  void secondCallerWaitsForTheFirstOnesEnd() throws InterruptedException {
    Thread first = Thread.ofPlatform().start(() -> ending.begin(Duration.ZERO));
    begun.await();
    Thread second = Thread.ofPlatform().start(() -> ending.begin(PATIENCE));
    while (second.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    go.countDown();
    second.join();
    assertThat(ends).hasValue(1);
    first.join();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE / 1_000_000_000, Long.MAX_VALUE})
  void secondCallerMayWaitForEver(long graceSeconds) throws InterruptedException {
    Thread first = Thread.ofPlatform().start(() -> ending.begin(Duration.ZERO));
    begun.await();
    Thread second = Thread.ofPlatform().start(() -> ending.begin(Duration.ofSeconds(graceSeconds)));
    while (second.getState() != Thread.State.TIMED_WAITING) {
      assertThat(second.getState()).isNotEqualTo(Thread.State.TERMINATED);
      Thread.onSpinWait();
    }
    go.countDown();
    second.join();
    first.join();
  }

  @Test
  void threadThatReceivesIsNotKept() throws InterruptedException {
    Thread receiving =
        Thread.ofPlatform()
            .start(
                () -> {
                  ProgressLoop.neverWait();
                  ending.begin(Duration.ZERO);
                });
    receiving.join();
    begun.await();
    assertThat(ends).hasValue(0);
    go.countDown();
    ending.begin(PATIENCE);
    assertThat(ends).hasValue(1);
  }
}
