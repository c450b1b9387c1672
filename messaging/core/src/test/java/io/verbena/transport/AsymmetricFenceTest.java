// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The two sides of a sleep: the sleeper announces and looks, the sender publishes and looks. */
@Tag("timing")
class AsymmetricFenceTest {

  private static final int SLEEPS = 2_000;

  private static final VarHandle PUBLISHED;
  private static final VarHandle ANNOUNCED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PUBLISHED = lookup.findVarHandle(AsymmetricFenceTest.class, "published", long.class);
      ANNOUNCED = lookup.findVarHandle(AsymmetricFenceTest.class, "announced", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by PUBLISHED: how many messages there are
  private long published;

  @SuppressWarnings("unused") // by ANNOUNCED: the sleep that was announced last
  private int announced;

  /** By sleep: the last message whose sender did not know of it. */
  private final long[] lastUnaware = new long[SLEEPS + 1];

  /** By sleep: the messages the sleeper found at its last look. */
  private final long[] found = new long[SLEEPS + 1];

  @Test
  void linuxHasIt() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux"), "membarrier is a system call of Linux");
    assertThat(AsymmetricFence.isAvailable()).isTrue();
    assertThat(AsymmetricFence.isReachable()).isTrue();
  }

  /**
   * A sender that does not know of a sleep rings no bell: the sleeper must have found its message.
   * Repeated, because only compiled code is fast enough to go wrong, and with a thread anew,
   * because a barrier between processes misses a core where threads of one process end and begin.
   */
  @RepeatedTest(8)
  void atLeastOneSideSeesTheOthersStore() throws InterruptedException {
    Thread sender = Thread.ofPlatform().start(this::publishUntilTheLastSleep);
    while ((long) PUBLISHED.getOpaque(this) == 0) {
      Thread.onSpinWait();
    }
    for (int sleep = 1; sleep <= SLEEPS; sleep++) {
      ANNOUNCED.setOpaque(this, sleep);
      AsymmetricFence.heavy();
      found[sleep] = (long) PUBLISHED.getOpaque(this);
    }
    sender.join();
    for (int sleep = 1; sleep <= SLEEPS; sleep++) {
      assertThat(found[sleep])
          .as("messages found by sleep " + sleep)
          .isGreaterThanOrEqualTo(lastUnaware[sleep]);
    }
  }

  private void publishUntilTheLastSleep() {
    int known = 0;
    for (long message = 1; known < SLEEPS; message++) {
      PUBLISHED.setOpaque(this, message);
      AsymmetricFence.light();
      int seen = (int) ANNOUNCED.getOpaque(this);
      while (known < seen) {
        lastUnaware[++known] = message - 1;
      }
    }
  }
}
