// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("timing")
class WaitersTest {

  private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);
  private static final long JOIN_MS = TimeUnit.MINUTES.toMillis(3);

  private final Waiters waiters = new Waiters();

  @Test
  void doesNotSleepOnWhatIsDone() {
    long start = System.nanoTime();
    waiters.await(() -> true, LONG_NS);
    assertThat(System.nanoTime() - start).isLessThan(LONG_NS / 2);
  }

  @Test
  void sleepEndsWhenTheTimeIsOver() {
    long start = System.nanoTime();
    waiters.await(() -> false, TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(System.nanoTime() - start).isLessThan(LONG_NS / 2);
  }

  @Test
  void everySleeperIsWoken() throws InterruptedException {
    List<Thread> sleepers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sleepers.add(Thread.ofPlatform().start(() -> waiters.await(() -> false, LONG_NS)));
    }
    for (Thread sleeper : sleepers) {
      while (sleeper.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
    waiters.wakeAll();
    for (Thread sleeper : sleepers) {
      assertThat(sleeper.join(java.time.Duration.ofMillis(JOIN_MS))).isTrue();
    }
  }

  /** One that could not park would run in circles. */
  @Test
  void interruptedThreadSleepsAndStaysInterrupted() {
    long start = System.nanoTime();
    Thread.currentThread().interrupt();
    waiters.await(() -> false, TimeUnit.MILLISECONDS.toNanos(50));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40));
  }

  @Test
  void interruptedThreadPausesAndStaysInterrupted() {
    long start = System.nanoTime();
    Thread.currentThread().interrupt();
    Waiters.pause(this, TimeUnit.MILLISECONDS.toNanos(50));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40));
  }

  @Test
  void interruptWhileAsleepEndsNoSleepAndIsKept() throws InterruptedException {
    AtomicInteger woken = new AtomicInteger();
    AtomicInteger sleeps = new AtomicInteger();
    Thread sleeper =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (woken.get() == 0) {
                    sleeps.getAndIncrement();
                    waiters.await(() -> woken.get() > 0, LONG_NS);
                  }
                  woken.addAndGet(Thread.interrupted() ? 10 : 100);
                });
    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    sleeper.interrupt();
    assertThat(sleeper.join(java.time.Duration.ofMillis(50))).isFalse();
    woken.set(1);
    waiters.wakeAll();
    assertThat(sleeper.join(java.time.Duration.ofMillis(JOIN_MS))).isTrue();
    assertThat(woken).hasValue(11);
    // A sleep may end early: the interrupt's permit may come once the thread has seen the
    // interrupt.
    assertThat(sleeps).hasValueLessThan(4);
  }

  /** Whoever has left is not woken any more: its next park is its own. */
  @Test
  void whoHasLeftIsForgotten() {
    long longestNs = 0;
    for (int i = 0; i < 5; i++) { // a park may also end for no reason at all
      waiters.await(() -> true, LONG_NS);
      waiters.wakeAll();
      long start = System.nanoTime();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      longestNs = Math.max(longestNs, System.nanoTime() - start);
    }
    assertThat(longestNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10));
  }

  /** Two threads by turns; a lost wake-up would sleep for ten minutes. */
  @Test
  void noWakeUpIsLost() throws InterruptedException {
    AtomicInteger turn = new AtomicInteger();
    int turns = 20_000;
    Thread other = Thread.ofPlatform().start(() -> takeTurns(turn, 1, turns));
    takeTurns(turn, 0, turns);
    assertThat(other.join(java.time.Duration.ofMillis(JOIN_MS))).isTrue();
    assertThat(turn).hasValue(turns);
  }

  private void takeTurns(AtomicInteger turn, int mine, int turns) {
    while (turn.get() < turns) {
      int now = turn.get();
      if (now % 2 == mine && now < turns) {
        turn.set(now + 1);
        waiters.wakeAll();
      } else {
        waiters.await(() -> turn.get() != now || now >= turns, LONG_NS);
      }
    }
  }
}
