// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.PeerLostException;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a sender waits for room: spinning while that is enough, then asleep at the outlet. */
@Tag("timing")
class LaneWaitTest {

  private final NodeMetrics metrics = new NodeMetrics();
  private final AtomicInteger linkWanted = new AtomicInteger();
  private final LaneWait wait = new LaneWait(1, 2, metrics, linkWanted::incrementAndGet);
  private final Arena arena = Arena.ofShared();
  private final LaneMemory memory =
      new LaneMemory(arena.allocate(LaneMemory.DATA_OFFSET + 4096, 64), arena::close);
  private final AtomicInteger sleeps = new AtomicInteger();

  private final Ring ring = new Ring(0, memory, wait);
  private final SharedLane lane =
      new SharedLane(
          0,
          new NoRings(),
          wait,
          1 << 20,
          TypeTable.of(MessageTypes.builder().build()).ownTypes(),
          new Backlog(2, 100, id -> true, () -> {}));

  @BeforeEach
  void begin() {
    lane.use(ring);
  }

  /** The lane stays in its ring. */
  private static final class NoRings implements RingMoves.Source {
    @Override
    public long leastBytes() {
      return 4096;
    }

    @Override
    public long mostBytes() {
      return 4096;
    }

    @Override
    public long idleNs() {
      return Long.MAX_VALUE;
    }

    @Override
    public Ring open(SharedLane of, boolean first, long capacity) throws IOException {
      throw new IOException("no ring is to be opened");
    }

    @Override
    public boolean mayShrink() {
      return false;
    }

    @Override
    public void close(Ring which) {}
  }

  /** Has the reader consume something whenever somebody sleeps. */
  private void link() {
    ring.outlet(
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
  }

  private long waits() {
    return metrics.snapshot().get("backpressure.waits");
  }

  @Test
  void doesNotWaitIfSomethingWasConsumedMeanwhile() {
    link();
    memory.consumed(64);
    wait.untilConsumed(lane, 56);
    assertThat(sleeps).hasValue(0);
    assertThat(waits()).isZero();
  }

  @Test
  void sleepsAtTheOutletWhenSpinningWasNotEnoughAndCountsIt() {
    link();
    memory.consumed(64);
    wait.untilConsumed(lane, 64);
    assertThat(sleeps).hasValue(1);
    assertThat(waits()).isEqualTo(1);
  }

  @Test
  void memoryThatWasFreedEndsTheWait() {
    link();
    lane.end(new PeerLostException("gone"));
    memory.close();
    wait.untilConsumed(lane, 0);
  }

  @Test
  void sleeperWithoutALinkWakesWhenOneComes() throws InterruptedException {
    Thread sleeper =
        Thread.ofPlatform()
            .start(() -> lane.outlet().awaitConsumed(0, TimeUnit.MINUTES.toNanos(1)));
    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    wait.wakeAll();
    sleeper.join(TimeUnit.MINUTES.toMillis(3));
    assertThat(sleeper.isAlive()).isFalse();
  }

  @Test
  void sleepWithoutALinkEndsByItself() {
    wait.untilConsumed(lane, 0);
    assertThat(waits()).isEqualTo(1);
    assertThat(linkWanted).hasValue(1);
  }
}
