// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.NodeListener;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.TestMessages.Unheard;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Threads that receive by themselves until what they wait for is there. */
public abstract class ReceiveConformance extends ConformanceCase {

  private static final int ROUNDS = 2_000;
  private static final int WAKES = 8;
  private static final Duration UNTIL_ASLEEP = Duration.ofMillis(30);

  /** For a transport. */
  protected ReceiveConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  /** Sends each message back. */
  private Node echoing(int id) {
    Node node = open(id);
    node.handle(Numbered.class, (message, from) -> node.send(from.nodeId(), message));
    return node;
  }

  private static boolean receive(Node node, BooleanSupplier done) throws InterruptedException {
    return node.receiveUntil(done, Await.LONG);
  }

  @Test
  void waitingThreadRunsTheHandlerItself() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicLong heard = new AtomicLong();
    AtomicInteger byWaiter = new AtomicInteger();
    Thread waiter = Thread.currentThread();
    node.handle(
        Numbered.class,
        (message, from) -> {
          byWaiter.addAndGet(Thread.currentThread() == waiter ? 1 : 0);
          heard.set(message.number());
        });
    // The node's own thread may be faster now and then.
    for (long i = 1; i <= ROUNDS || byWaiter.get() == 0; i++) {
      long number = i;
      node.send(2, new Numbered(0, number));
      assertTrue(receive(node, () -> heard.get() == number));
    }
  }

  /** What a node sends to itself goes another way than what comes from its peers. */
  @Test
  void receivesOverAllTransportsAtOnce() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicLongArray heard = new AtomicLongArray(3);
    node.handle(Numbered.class, (message, from) -> heard.set(from.nodeId(), message.number()));
    for (long i = 1; i <= ROUNDS; i++) {
      long number = i;
      node.send(1, new Numbered(0, number));
      node.send(2, new Numbered(0, number));
      assertTrue(receive(node, () -> heard.get(1) == number && heard.get(2) == number));
    }
  }

  @Test
  void whoNeverWaitsReceivesWhatHasCome() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicLong heard = new AtomicLong();
    node.handle(Numbered.class, (message, from) -> heard.set(message.number()));
    for (long i = 1; i <= 200; i++) {
      long number = i;
      node.send(2, new Numbered(0, number));
      await(
          "message " + number,
          () -> {
            try {
              return node.receiveUntil(() -> heard.get() == number, Duration.ZERO);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
    }
    assertFalse(node.receiveUntil(() -> false, Duration.ofNanos(-1)));
    assertFalse(node.receiveUntil(() -> false, Duration.ofMillis(5)));
  }

  @Test
  void manyThreadsOfAllKindsEachGetTheirOwn() {
    echoing(2);
    Node node = open(1);
    int threads = 6;
    AtomicLongArray heard = new AtomicLongArray(threads);
    node.handle(Numbered.class, (message, from) -> heard.set(message.source(), message.number()));
    Crew crew = new Crew();
    for (int thread = 0; thread < 4; thread++) {
      int me = thread;
      crew.start(() -> exchangeALot(node, me, heard));
    }
    AtomicInteger virtualDone = new AtomicInteger();
    for (int thread = 4; thread < threads; thread++) {
      int me = thread;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  exchangeALot(node, me, heard);
                  virtualDone.incrementAndGet();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
    }
    crew.join();
    await("the virtual ones", () -> virtualDone.get() == threads - 4);
  }

  private static Void exchangeALot(Node node, int me, AtomicLongArray heard)
      throws InterruptedException {
    for (long i = 1; i <= ROUNDS; i++) {
      long number = i;
      node.send(2, new Numbered(me, number));
      assertTrue(receive(node, () -> heard.get(me) == number));
    }
    return null;
  }

  @Test
  void handlersInPoolsMayReceiveAndInlineOnesMayNot() throws InterruptedException {
    AtomicReference<Object> inline = new AtomicReference<>();
    AtomicReference<Object> pooled = new AtomicReference<>();
    AtomicBoolean heard = new AtomicBoolean();
    Node two = open(2);
    two.handle(Numbered.class, (message, from) -> receiveInHandler(two, heard, inline));
    two.handle(Ask.class, Execution.pool(1), (ask, from) -> receiveInHandler(two, heard, pooled));
    two.handle(Unheard.class, (message, from) -> heard.set(true));
    Node node = open(1);
    node.send(2, new Numbered(0, 0));
    await("the inline handler", () -> inline.get() != null);
    assertInstanceOf(IllegalStateException.class, inline.get());
    node.send(2, new Ask(0));
    node.send(2, new Unheard(0));
    await("the handler in the pool", () -> pooled.get() != null);
    assertEquals(true, pooled.get());
  }

  private static void receiveInHandler(
      Node node, AtomicBoolean heard, AtomicReference<Object> outcome) throws InterruptedException {
    try {
      outcome.set(receive(node, heard::get));
    } catch (IllegalStateException e) {
      outcome.set(e);
    }
  }

  /**
   * Who is not woken looks by itself, a fifth of a second after it fell asleep. The best of several
   * shows whether it was.
   */
  @Test
  void handlersInPoolsWakeWhoWaits() throws InterruptedException {
    Node node = open(1);
    Node two = open(2);
    AtomicLong heard = new AtomicLong();
    AtomicLong heardNs = new AtomicLong();
    node.handle(
        Numbered.class,
        Execution.pool(1),
        (message, from) -> {
          Await.idle(UNTIL_ASLEEP);
          heardNs.set(System.nanoTime());
          heard.set(message.number());
        });
    long bestNs = Long.MAX_VALUE;
    for (long i = 1; i <= WAKES; i++) {
      long number = i;
      two.send(1, new Numbered(0, number));
      assertTrue(receive(node, () -> heard.get() == number));
      bestNs = Math.min(bestNs, System.nanoTime() - heardNs.get());
    }
    assertWoken(bestNs);
  }

  @Test
  void otherThreadsWakeWhoWaits() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicBoolean connected = new AtomicBoolean();
    node.handle(Numbered.class, (message, from) -> connected.set(true));
    node.send(2, new Numbered(0, 0));
    assertTrue(receive(node, connected::get));
    long bestNs = Long.MAX_VALUE;
    for (int i = 0; i < WAKES; i++) {
      AtomicLong doneNs = new AtomicLong();
      Crew crew =
          new Crew()
              .start(
                  () -> {
                    Await.idle(UNTIL_ASLEEP);
                    doneNs.set(System.nanoTime());
                    node.wakeReceivers();
                    return null;
                  });
      assertTrue(receive(node, () -> doneNs.get() != 0));
      bestNs = Math.min(bestNs, System.nanoTime() - doneNs.get());
      crew.join();
    }
    assertWoken(bestNs);
  }

  private static void assertWoken(long bestNs) {
    assertTrue(bestNs < 100_000_000, () -> "the fastest of " + WAKES + " took " + bestNs + " ns");
  }

  @Test
  void lossOfAPeerIsHeardOfWhileWaiting() throws InterruptedException {
    AtomicBoolean lost = new AtomicBoolean();
    Node node = open(1);
    node.addListener(
        new NodeListener() {
          @Override
          public void lost(int peer, String reason) {
            lost.set(true);
          }
        });
    echoing(2);
    AtomicBoolean heard = new AtomicBoolean();
    node.handle(Numbered.class, (message, from) -> heard.set(true));
    node.send(2, new Numbered(0, 0));
    assertTrue(receive(node, heard::get));
    Crew crew =
        new Crew()
            .start(
                () -> {
                  cluster().drop(2);
                  return null;
                });
    assertTrue(receive(node, lost::get));
    crew.join();
  }

  @Test
  void goesOnOverLinksThatAreCut() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicLong heard = new AtomicLong();
    node.handle(Numbered.class, (message, from) -> heard.set(message.number()));
    for (long i = 1; i <= 60; i++) {
      long number = i;
      node.send(2, new Numbered(0, number));
      if (i % 10 == 0) {
        cluster().cut(1, 2);
      }
      assertTrue(receive(node, () -> heard.get() == number));
    }
  }

  @Test
  void goesOnWithThePeersNextLife() throws InterruptedException {
    Node node = open(1);
    AtomicLong heard = new AtomicLong();
    node.handle(Numbered.class, (message, from) -> heard.set(message.number()));
    for (long life = 1; life <= 3; life++) {
      long number = life;
      Crew crew =
          new Crew()
              .start(
                  () -> {
                    open(2).send(1, new Numbered(0, number));
                    return null;
                  });
      assertTrue(receive(node, () -> heard.get() == number));
      crew.join();
      cluster().drop(2);
    }
  }

  @Test
  void closingTheNodeEndsTheWait() {
    echoing(2);
    Node node = open(1);
    CountDownLatch waiting = new CountDownLatch(3);
    Crew crew = new Crew();
    for (int i = 0; i < 3; i++) {
      crew.start(
          () -> {
            assertThrows(
                NodeClosedException.class,
                () ->
                    node.receiveUntil(
                        () -> {
                          waiting.countDown();
                          return false;
                        },
                        ChronoUnit.FOREVER.getDuration()));
            return null;
          });
    }
    await("all of them", () -> waiting.getCount() == 0);
    node.close();
    crew.join();
    assertThrows(NodeClosedException.class, () -> receive(node, () -> false));
  }

  @Test
  void interruptEndsTheWait() {
    echoing(2);
    Node node = open(1);
    AtomicReference<Thread> waiter = new AtomicReference<>();
    node.handle( // before anything can come
        Numbered.class, (message, from) -> Objects.requireNonNull(waiter.get()).interrupt());
    new Crew()
        .start(
            () -> {
              waiter.set(Thread.currentThread());
              node.send(2, new Numbered(0, 0));
              assertThrows(InterruptedException.class, () -> receive(node, () -> false));
              return null;
            })
        .join();
  }

  @Test
  void whatTheConditionThrowsIsThrown() throws InterruptedException {
    echoing(2);
    Node node = open(1);
    AtomicLong heard = new AtomicLong();
    node.handle(Numbered.class, (message, from) -> heard.set(message.number()));
    RuntimeException onPurpose = new IllegalArgumentException("on purpose");
    node.send(2, new Numbered(0, 1));
    Throwable thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                receive(
                    node,
                    () -> {
                      if (heard.get() == 1) {
                        throw onPurpose;
                      }
                      return false;
                    }));
    assertSame(onPurpose, thrown);
    node.send(2, new Numbered(0, 2));
    assertTrue(receive(node, () -> heard.get() == 2));
  }

  @Test
  void conditionMayNotReceive() {
    Node node = open(1);
    BooleanSupplier receiving =
        () -> {
          try {
            return receive(node, () -> true);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    assertThrows(IllegalStateException.class, () -> receive(node, receiving));
  }

  @Test
  void nodeThatIsNotStartedReceivesNothing() {
    Node node = build(1);
    assertThrows(IllegalStateException.class, () -> receive(node, () -> false));
  }
}
