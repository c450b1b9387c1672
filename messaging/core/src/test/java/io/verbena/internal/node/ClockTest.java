// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.RequestTimeoutException;
import io.verbena.internal.connection.RequestTable;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time-outs are told in time, whatever those who are told do. */
@Tag("timing")
class ClockTest {

  private static final int SILENT = 2;
  private static final int ABSENT = 3;

  /** A question, its answer, and anything else. */
  public record Word(long number) {}

  private static Node node(int id) {
    return Node.open(
        NodeConfig.builder()
            .id(id)
            .set("transport", "loopback")
            .set("cluster", "clock-test")
            .set("request.timeout", "2s")
            .set("connect.timeout", "10m")
            .types(MessageTypes.builder(MethodHandles.lookup()).add(1, Word.class).build())
            .build());
  }

  /** An error that cannot be put into words is an error of whoever logs it, too. */
  private static final class Mute extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("for words, on purpose");
    }
  }

  @Test
  void goesOnAfterATickThatFailed() throws InterruptedException {
    goesOnAfter(new AssertionError("on purpose"));
  }

  @Test
  void goesOnAfterATickWhoseFailureCannotBeLogged() throws InterruptedException {
    goesOnAfter(new Mute());
  }

  private static void goesOnAfter(Error failure) throws InterruptedException {
    CountDownLatch ticks = new CountDownLatch(3);
    Clock clock =
        new Clock(
            1,
            new RequestTable(64),
            now -> {
              ticks.countDown();
              throw failure;
            });
    clock.start();
    try {
      assertThat(ticks.await(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      clock.stop();
    }
  }

  /** The JVM does that if memory is freed that the thread reads. */
  @Test
  void clockThatWasInterruptedSleepsAsEver() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread[] thread = new Thread[1];
    Clock clock =
        new Clock(
            1,
            new RequestTable(64),
            now -> {
              if (interrupted.getCount() > 0) { // at the first tick
                thread[0] = Thread.currentThread();
                thread[0].interrupt();
                interrupted.countDown();
              }
            });
    clock.start();
    try {
      assertThat(interrupted.await(3, TimeUnit.MINUTES)).isTrue();
      long untilNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
      while (thread[0].getState() != Thread.State.TIMED_WAITING) {
        assertThat(System.nanoTime() - untilNs).as("past the limit").isNegative();
        Thread.onSpinWait();
      }
      assertThat(thread[0].isInterrupted()).isFalse();
    } finally {
      clock.stop();
    }
  }

  /** A lost request is often tried again, with whoever else there is, where its loss is told. */
  @Test
  void isNotHeldUpByOneWhoSendsWhenATimeOutIsTold() {
    try (Node silent = node(SILENT);
        Node node = node(1)) {
      silent.handle(Word.class, (word, from) -> from.retain()); // it never answers
      node.addPeer(SILENT, "");
      node.addPeer(ABSENT, "");
      node.send(SILENT, new Word(0)); // connects: the time-out comes after this thread is done
      CompletableFuture<Boolean> sending = new CompletableFuture<>();
      CompletableFuture<Boolean> sent =
          node.requestAsync(SILENT, new Word(1), Word.class)
              .handle(
                  (answer, failure) -> {
                    sending.complete(true);
                    node.send(ABSENT, new Word(2));
                    return failure instanceof RequestTimeoutException;
                  });
      assertThat(sending).succeedsWithin(3, TimeUnit.MINUTES);

      assertThat(node.requestAsync(SILENT, new Word(3), Word.class))
          .failsWithin(3, TimeUnit.MINUTES) // connect.timeout is longer
          .withThrowableThat()
          .withCauseInstanceOf(RequestTimeoutException.class);
      assertThat(sent).isCompletedWithValue(true);
    }
  }
}
