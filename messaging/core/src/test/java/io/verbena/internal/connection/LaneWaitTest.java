// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a sender waits for room: spinning while that is enough, then asleep at the outlet. */
class LaneWaitTest {

  private final NodeMetrics metrics = new NodeMetrics();
  private final AtomicInteger linkWanted = new AtomicInteger();
  private final LaneWait wait = new LaneWait(1, 2, metrics, linkWanted::incrementAndGet);
  private final Arena arena = Arena.ofShared();
  private final LaneMemory memory =
      new LaneMemory(arena.allocate(LaneMemory.DATA_OFFSET + 4096, 64), arena::close);
  private final AtomicInteger sleeps = new AtomicInteger();

  /** A lane whose sleepers' reader consumes while they sleep. */
  private final OutboundLane lane =
      new OutboundLane(
          0,
          memory,
          null,
          new Outlet() {
            @Override
            public void published() {}

            @Override
            public void awaitConsumed(long position, long timeoutNs) {
              sleeps.incrementAndGet();
              assertThat(timeoutNs).isPositive();
              memory.consumed(position + 8);
            }

            @Override
            public void finish(long finalPosition) {}
          });

  private long waits() {
    return metrics.snapshot().get("backpressure.waits");
  }

  @Test
  void doesNotWaitIfSomethingWasConsumedMeanwhile() {
    memory.consumed(64);
    wait.untilConsumed(lane, 56);
    assertThat(sleeps).hasValue(0);
    assertThat(waits()).isZero();
  }

  @Test
  void sleepsAtTheOutletWhenSpinningWasNotEnoughAndCountsIt() {
    memory.consumed(64);
    wait.untilConsumed(lane, 64);
    assertThat(sleeps).hasValue(1);
    assertThat(waits()).isEqualTo(1);
  }

  @Test
  void memoryThatWasFreedEndsTheWait() {
    memory.close();
    wait.untilConsumed(lane, 0);
  }

  @Test
  void sleeperWithoutALinkWakesWhenOneComes() throws InterruptedException {
    OutboundLane unlinked = new OutboundLane(0, memory, null, wait);
    Thread sleeper =
        Thread.ofPlatform()
            .start(() -> unlinked.outlet().awaitConsumed(0, TimeUnit.MINUTES.toNanos(1)));
    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    wait.wakeAll();
    sleeper.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(sleeper.isAlive()).isFalse();
  }

  @Test
  void sleepWithoutALinkEndsByItself() {
    OutboundLane unlinked = new OutboundLane(0, memory, null, wait);
    long start = System.nanoTime();
    wait.untilConsumed(unlinked, 0);
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
    assertThat(waits()).isEqualTo(1);
    assertThat(linkWanted).hasValue(1);
  }
}
