// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.util.Objects;
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
  void interruptedThreadOpensConnectsAndClosesNodes() {
    AtomicLong handled = new AtomicLong();
    Thread.currentThread().interrupt();
    try {
      open(2).handle(Numbered.class, (message, from) -> handled.incrementAndGet());
      useSenders(open(1));
      assertTrue(Thread.currentThread().isInterrupted(), "opening has cleared the interrupt");
    } finally {
      Thread.interrupted(); // the rest waits for what it sees
    }
    assertNothingBroke(handled);
    Thread.currentThread().interrupt();
    cluster().drop(1);
    assertTrue(Thread.interrupted(), "closing has cleared the interrupt");
    open(1); // its place is free
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
                  do { // once at least, however late this thread begins
                    user.interrupt();
                    Thread.onSpinWait();
                  } while (!done.get());
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
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    AtomicLong accepted = new AtomicLong();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  while (slow.isHeld()) {
                    Thread.currentThread().interrupt();
                    node.send(2, SlowPeer.ballast());
                    assertTrue(Thread.interrupted(), "the thread is not interrupted any more");
                    accepted.incrementAndGet();
                  }
                  return null;
                });
    long tookNs = timeOfHundredWaits(node, accepted);
    slow.letGo();
    crew.join();
    slow.awaitHandled(accepted.get());
    assertTrue(tookNs > TimeUnit.MILLISECONDS.toNanos(100), "100 waits took " + tookNs + " ns");
  }

  /** Of one message: there may be room once more, however long there was none. */
  private long timeOfHundredWaits(Node node, AtomicLong accepted) {
    while (true) {
      long before = accepted.get();
      long startNs = System.nanoTime(); // first: the count goes on
      long first = waits(node);
      await("waits", () -> waits(node) >= first + 100 || accepted.get() > before);
      long tookNs = System.nanoTime() - startNs;
      if (accepted.get() == before) {
        return tookNs;
      }
    }
  }

  private static long waits(Node node) {
    return Objects.requireNonNull(node.metrics().snapshot().get("backpressure.waits"));
  }
}
