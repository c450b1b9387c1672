// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What a thread's interrupt must not do: break a link, lose a message, or have it run in circles.
 */
public abstract class InterruptConformance extends ConformanceCase {

  private static final int SENDERS = 50;

  /** For a transport. */
  protected InterruptConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void interruptedThreadOpensUsesAndClosesSenders() {
    AtomicLong handled = new AtomicLong();
    open(2).handle(Numbered.class, (message, from) -> handled.incrementAndGet());
    Node node = open(1);
    Thread.currentThread().interrupt();
    useSenders(node);
    assertTrue(Thread.interrupted(), "the thread is not interrupted any more");
    assertNothingBroke(handled);
  }

  @Test
  void interruptsAtAnyTimeBreakNothing() {
    AtomicLong handled = new AtomicLong();
    open(2).handle(Numbered.class, (message, from) -> handled.incrementAndGet());
    Node node = open(1);
    Thread user = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean hasEnded = new AtomicBoolean();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  while (!done.get()) {
                    user.interrupt();
                    Thread.onSpinWait();
                  }
                  hasEnded.set(true);
                  return null;
                });
    useSenders(node);
    done.set(true);
    while (!hasEnded.get()) {
      Thread.onSpinWait(); // an interrupt may still be on its way
    }
    assertTrue(Thread.interrupted(), "the thread is not interrupted any more");
    crew.join();
    assertNothingBroke(handled);
  }

  private static void useSenders(Node node) {
    for (int i = 0; i < SENDERS; i++) {
      node.send(2, new Numbered(0, i));
      try (Sender sender = node.sender(2)) {
        sender.send(new Numbered(1, i));
      }
    }
  }

  private void assertNothingBroke(AtomicLong handled) {
    await("all messages", () -> handled.get() == 2L * SENDERS);
    for (int id = 1; id <= 2; id++) {
      assertEquals(0, cluster().events(id).disconnectedTimes(), "broken links of node " + id);
      assertEquals(0, cluster().events(id).lostReasons().size());
    }
  }

  /** Each wait sleeps for two milliseconds, as nothing is consumed meanwhile. */
  @Test
  void interruptedSenderThatWaitsForRoomSleeps() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicLong handled = new AtomicLong();
    openSmall(2)
        .handle(
            Blob.class,
            Execution.pool(1),
            (blob, from) -> {
              go.await();
              handled.incrementAndGet();
            });
    Node node = openSmall(1);
    long accepted = fill(node);
    Crew crew =
        new Crew()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  node.send(2, new Blob(0, new byte[1000]));
                  assertTrue(Thread.interrupted(), "the thread is not interrupted any more");
                  return null;
                });
    long first = waits(node);
    long startNs = System.nanoTime();
    await("waits", () -> waits(node) >= first + 100);
    long tookNs = System.nanoTime() - startNs;
    go.countDown();
    crew.join();
    await("all messages", () -> handled.get() == accepted + 1);
    assertTrue(tookNs > TimeUnit.MILLISECONDS.toNanos(100), "100 waits took " + tookNs + " ns");
  }

  private static long fill(Node node) {
    long accepted = 0;
    Blob blob = new Blob(0, new byte[1000]);
    long fullSinceNs = System.nanoTime();
    while (System.nanoTime() - fullSinceNs < 100_000_000) {
      SendResult result = node.trySend(2, blob);
      accepted += result == SendResult.ACCEPTED ? 1 : 0;
      fullSinceNs = result == SendResult.FULL ? fullSinceNs : System.nanoTime();
    }
    return accepted;
  }

  private static long waits(Node node) {
    return Objects.requireNonNull(node.metrics().snapshot().get("backpressure.waits"));
  }

  private Node openSmall(int id) {
    return cluster()
        .open(id, builder -> builder.set("lane.bytes", "64K").set("pool.queue.messages", "256"));
  }
}
