// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.verbena.fabric.Words.Word;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One-sided operations whose ends are polled, between two nodes on softnic. */
@Tag("timing")
class PollingTest {

  private static final int BYTES = 4096;

  private final Two nodes = new Two();
  private final Region mine = nodes.one.allocate(BYTES);
  private final Region theirs = nodes.two.allocate(BYTES);
  private final Remote remote = Remote.of(theirs.share(0, BYTES, Access.values()));
  private final Link link = nodes.link();
  private final Operations operations = link.operations(16);
  private final Completions completions = new Completions(8);

  @AfterEach
  void close() {
    nodes.close();
    mine.close();
    theirs.close();
    remote.close();
  }

  @Test
  void batchIsDoneInItsOrder() {
    mine.memory().set(ValueLayout.JAVA_LONG, 0, 40);
    operations
        .put(mine, 0, remote, 64, 8, 100)
        .fetchAdd(mine, 8, remote, 64, 2, 101)
        .fence()
        .compareSwap(mine, 16, remote, 64, 42, 7, 102)
        .fence()
        .get(mine, 24, remote, 64, 8, 103)
        .fence()
        .flush(104);
    assertThat(operations.count()).isEqualTo(5);
    assertThat(operations.post()).isEqualTo(5);
    assertThat(operations.room()).isEqualTo(16);
    assertPolled(100, 5);
    assertThat(mine.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(40);
    assertThat(mine.memory().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(42);
    assertThat(mine.memory().get(ValueLayout.JAVA_LONG, 24)).isEqualTo(7);
  }

  private void assertPolled(long first, int count) {
    long due = first;
    long until = System.nanoTime() + Two.LONG.toNanos();
    while (due < first + count && System.nanoTime() < until) {
      nodes.one.arm();
      if (nodes.one.poll(completions) == 0) {
        nodes.one.await(Duration.ofMillis(100));
      }
      for (int i = 0; i < completions.count(); i++) {
        assertThat(completions.outcome(i)).as(completions.sentence(i)).isEqualTo(Outcome.DONE);
        assertThat(completions.isDone(i)).isTrue();
        assertThat(completions.peer(i)).isEqualTo(2);
        assertThat(completions.cookie(i)).isEqualTo(due++);
      }
    }
    assertThat(due).isEqualTo(first + count);
  }

  /** What is not polled takes room: the rest of a batch stays. */
  @Test
  void whatThereIsNoRoomForStaysInTheBatch() {
    long cookie = 0;
    int posted;
    do {
      while (operations.room() > 0) {
        operations.put(mine, 0, remote, 0, 8, cookie++);
      }
      posted = operations.post();
    } while (posted == 16 && cookie < 100_000);
    assertThat(posted).isLessThan(16);
    assertThat(operations.count()).isEqualTo(16 - posted);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              for (int i = 0; i < 17; i++) {
                operations.flush(i);
              }
            })
        .withMessageContaining("all 16 places are taken");
    operations.clear();
    assertPolled(0, (int) cookie - 16 + posted);
  }

  @Test
  void operationThatIsRefusedStaysUntilItIsSkipped() {
    operations.put(mine, 0, remote, BYTES, 8, 1).put(mine, 0, remote, 0, 8, 2);
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(operations::post)
        .withMessageContaining("put");
    operations.skip();
    assertThat(operations.post()).isEqualTo(1);
    assertPolled(2, 1);
    try (Region other = nodes.one.allocate(8)) {
      operations.put(other, 0, remote, 0, 8, 3);
    }
    assertThatExceptionOfType(ClosedException.class).isThrownBy(operations::post);
    operations.clear();
    operations.flush(3);
    assertThat(operations.post()).isEqualTo(1);
    assertPolled(3, 1);
  }

  @Test
  void signalsAreTaken() {
    operations.putSignal(mine, 0, remote, 0, 8, -5, 1).putSignal(mine, 0, remote, 8, 8, 6, 2);
    assertThat(operations.post()).isEqualTo(2);
    assertPolled(1, 2);
    Signals signals = new Signals(1);
    assertSignal(signals, -5);
    assertSignal(signals, 6);
    assertThat(nodes.two.pollSignals(signals)).isZero();
  }

  private void assertSignal(Signals signals, int value) {
    long until = System.nanoTime() + Two.LONG.toNanos();
    while (nodes.two.pollSignals(signals) == 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(signals.count()).isEqualTo(1);
    assertThat(signals.peer(0)).isEqualTo(1);
    assertThat(signals.value(0)).isEqualTo(value);
  }

  @Test
  void futuresAreRefusedWhereTheProgramPolls() {
    assertThatIllegalStateException()
        .isThrownBy(link::flush)
        .withMessageContaining("this fabric is polled");
    assertThatIllegalStateException().isThrownBy(() -> nodes.one.onSignal((peer, value) -> {}));
    Word next = nodes.one.words().take();
    nodes.one.words().giveBack(next);
    assertThatIllegalStateException().isThrownBy(() -> link.fetchAdd(remote, 0, 1));
    assertThat(nodes.one.words().take()).as("the word that it would have used").isEqualTo(next);
  }

  @Test
  void closeEndsAWaitAndWakeDoes() throws Exception {
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (true) {
                      nodes.one.arm();
                      nodes.one.await(Duration.ofMinutes(5));
                    }
                  } catch (ClosedException e) {
                    // as it should end
                  }
                });
    TimeUnit.MILLISECONDS.sleep(50);
    nodes.one.wake();
    TimeUnit.MILLISECONDS.sleep(50);
    nodes.one.close();
    assertThat(waiting.join(Duration.ofMinutes(1))).isTrue();
  }

  /** Close and wake do not reach who has not armed. */
  @Test
  void awaitWhoseArmIsUsedUpIsShort() {
    nodes.one.arm();
    nodes.one.wake();
    long before = System.nanoTime();
    for (int i = 0; i < 5; i++) { // the first ones may end at once, for what the link's start left
      nodes.one.poll(completions);
      nodes.one.await(Duration.ofSeconds(20));
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
  }

  /** A deadline that has just been missed: no time, and not the longest that C has. */
  @Test
  void awaitOfLessThanNoTimeEndsAtOnce() throws Exception {
    try (Fabric alone = Two.builder(3).open()) { // signs of life of a peer would end it, too
      Thread waiting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    alone.arm();
                    alone.await(Duration.ofMillis(-1));
                  });
      assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void awaitOfTheLongestTimeEndsAsEveryOther() {
    nodes.one.await(Two.LONGEST); // 100 ms, unarmed
    nodes.one.arm();
    nodes.one.wake();
    nodes.one.await(Two.LONGEST);
  }

  /** The least of many rounds: the first ones run before the JIT has done its work. */
  @Test
  void postingAndPollingAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Signals signals = new Signals(8);
    long until = System.nanoTime() + Two.LONG.toNanos();
    long least = Long.MAX_VALUE;
    while (least > 0 && System.nanoTime() < until) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2000; i++) {
        postAndPoll(signals);
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 2000);
    }
    assertThat(least).isZero();
  }

  private void postAndPoll(Signals signals) {
    operations.put(mine, 0, remote, 0, 64, 1).get(mine, 64, remote, 0, 64, 2);
    operations.fetchAdd(mine, 128, remote, 128, 1, 3).fence().flush(4);
    int open = 4;
    while (open > 0) {
      operations.post();
      int done = nodes.one.poll(completions);
      for (int i = 0; i < done; i++) {
        open -= completions.isDone(i) && completions.cookie(i) != 0 ? 1 : 0;
      }
    }
    nodes.two.pollSignals(signals);
  }
}
