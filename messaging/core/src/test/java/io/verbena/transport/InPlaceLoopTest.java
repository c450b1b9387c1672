// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("timing")
class InPlaceLoopTest {

  private static final int NEWS = 200_000;

  private static final int LOOKS_IN_A_ROW = 1000;

  private final SpinningLoop loop = new SpinningLoop();

  /** The next news are announced while the reading of the former ones comes to its end. */
  @Test
  void newsAnnouncedWhileNewsAreReadAreRead() throws InterruptedException {
    Post post = new Post();
    loop.add(post);
    Thread reader = Thread.ofPlatform().start(this::readUntilInterrupted);
    try {
      for (int i = 1; i <= NEWS; i++) {
        post.posted = i;
        loop.announceNews();
        assertThat(post.isReadSoon(i)).as("news %d are read", i).isTrue();
      }
    } finally {
      reader.interrupt();
      reader.join();
    }
  }

  /** Its announcement may come when the loop has just looked for it. */
  @Test
  void aWriterThatWaitsIsWokenByTheFirstRoundWithoutMessagesAtTheLatest() {
    Lane lane = new Lane();
    Post source = new Post();
    AtomicInteger woken = new AtomicInteger();
    loop.read(source, lane, woken::incrementAndGet);
    lane.bytes = 8;
    loop.round();
    lane.memory().announceWaiting();
    lane.bytes = 0;
    assertThat(loop.round()).isZero();
    assertThat(woken).hasValue(1);
    loop.round();
    assertThat(woken).hasValue(1);
    lane.bytes = InboundLane.PAUSED;
    lane.memory().announceWaiting(); // nothing was consumed since
    assertThat(loop.round()).isZero();
    assertThat(woken).hasValue(1);
    lane.bytes = 8; // a stream that never ceases
    assertThat(loop.round()).isEqualTo(8);
    assertThat(woken).hasValue(2);
    loop.unread(source);
    assertThat(loop.round()).isZero();
  }

  @Test
  void aLaneWhoseMemoryWasFreedDisturbsNoRound() {
    Lane lane = new Lane();
    loop.read(new Post(), lane, () -> {});
    lane.bytes = 8;
    loop.round();
    lane.arena.close();
    lane.bytes = 0;
    assertThat(loop.round()).isZero();
    assertThat(loop.round()).isZero();
  }

  /** A lane that says how much came. */
  private static final class Lane implements InboundLane {
    private final Arena arena = Arena.ofShared();
    private final LaneMemory memory =
        new LaneMemory(arena.allocate(LaneMemory.DATA_OFFSET + 4096, 64), () -> {});
    private int bytes;

    @Override
    public int id() {
      return 1;
    }

    @Override
    public LaneMemory memory() {
      return memory;
    }

    @Override
    public long received() {
      return Long.MAX_VALUE;
    }

    @Override
    public void received(long position) {}

    @Override
    public int drain() {
      return bytes;
    }
  }

  private void readUntilInterrupted() {
    int looks = 0;
    while (!Thread.currentThread().isInterrupted()) {
      if (loop.round() == 0 && ++looks % LOOKS_IN_A_ROW == 0) {
        Thread.yield(); // both may share one core
      }
    }
  }

  private static final class Post implements InPlaceLoop.Source {
    volatile int posted;
    final AtomicInteger read = new AtomicInteger();

    @Override
    public int readNews() {
      return posted - read.getAndSet(posted);
    }

    boolean isReadSoon(int number) {
      long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
      int looks = 0;
      while (read.get() < number) {
        if (System.nanoTime() - giveUp > 0) {
          return false;
        }
        if (++looks % LOOKS_IN_A_ROW == 0) {
          Thread.yield();
        } else {
          Thread.onSpinWait();
        }
      }
      return true;
    }

    @Override
    public void close(String reason) {}
  }

  /** Its rounds are called by the test; it never sleeps. */
  private static final class SpinningLoop extends InPlaceLoop {
    SpinningLoop() {
      super(new StillContext(0));
    }

    @Override
    public void wakeIfAsleep() {}

    @Override
    protected void announceSleep() {}

    @Override
    protected void sleep(long timeoutNs) {}

    @Override
    protected void withdrawSleep() {}

    @Override
    public void wake() {}
  }
}
