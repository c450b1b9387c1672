// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.ConnectionInfo;
import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.NodeListener;
import io.verbena.PeerLostException;
import io.verbena.RemoteHandlerException;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.TestMessages.Unheard;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Closing kills no work: what was taken is handled within the grace, and what is not is told. */
public abstract class CloseConformance extends ConformanceCase {

  private static final int QUEUED = 20;

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger handled = new AtomicInteger();

  /** For a transport. */
  protected CloseConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void queuedAndRunningPoolHandlersFinishWithinTheGrace() {
    handlersFinishWithinTheGrace(Execution.pool(1));
  }

  @Test
  void runningVirtualHandlersFinishWithinTheGrace() {
    handlersFinishWithinTheGrace(Execution.virtual());
  }

  /** The handlers send to others and answer while their node closes. */
  private void handlersFinishWithinTheGrace(Execution execution) {
    Series atThree = new Series();
    Node three = build(3);
    three.handle(Numbered.class, (message, from) -> atThree.take(message));
    three.start();
    Node two = build(2);
    two.handle(
        Ask.class,
        execution,
        (ask, from) -> {
          begun.incrementAndGet();
          go.await();
          synchronized (atThree) {
            two.send(3, new Numbered(0, handled.getAndIncrement()));
          }
          from.reply(new Answer(ask.number()));
        });
    two.start();
    Node one = open(1);
    Crew asking = new Crew();
    for (int i = 0; i < QUEUED; i++) {
      int number = i;
      asking.start(() -> ask(one, number));
    }
    await("all to be taken", () -> two.metrics().messagesReceived() == QUEUED);
    await("the first handler", () -> begun.get() > 0);
    Crew closing = new Crew().start(() -> close(two, Await.LONG));
    await("the node to close", () -> refusesToSend(two));
    go.countDown();
    asking.join();
    closing.join();
    atThree.awaitAll(1, QUEUED);
    assertEquals(List.of(), cluster().events(2).dropped());
    assertEquals(List.of(), cluster().events(2).handlerFailures());
  }

  private static Void ask(Node node, int number) throws InterruptedException {
    assertEquals(number, node.request(2, new Ask(number), Answer.class, Await.LONG).number());
    return null;
  }

  private static Void close(Node node, Duration grace) {
    node.close(grace);
    return null;
  }

  private static boolean refusesToSend(Node node) {
    try {
      node.trySend(1, new Unheard(0));
      return false;
    } catch (NodeClosedException e) {
      return true;
    }
  }

  @Test
  void whatIsLeftWhenTheGraceIsOverIsCountedAndTold() {
    Node two = build(2);
    two.handle(
        Ask.class,
        Execution.pool(1),
        (ask, from) -> {
          begun.incrementAndGet();
          go.await();
        });
    two.start();
    Node one = open(1);
    AtomicInteger refused = new AtomicInteger();
    Crew asking = new Crew().start(() -> askInVain(one, new AtomicInteger()));
    await("the first handler", () -> begun.get() == 1);
    for (int i = 1; i < QUEUED; i++) {
      asking.start(() -> askInVain(one, refused));
    }
    await("all to be taken", () -> two.metrics().messagesReceived() == QUEUED);
    two.close(Duration.ofMillis(50));
    asking.join();
    assertEquals(QUEUED - 1, cluster().events(2).dropped().size());
    assertEquals(QUEUED - 1L, two.metrics().snapshot().get("handlers.dropped"));
    assertEquals(QUEUED - 1, refused.get());
    assertEquals(1, begun.get());
  }

  private static Void askInVain(Node node, AtomicInteger refused) {
    Exception failure =
        assertThrows(Exception.class, () -> node.request(2, new Ask(0), Answer.class, Await.LONG));
    if (failure instanceof RemoteHandlerException
        && String.valueOf(failure.getMessage()).contains("closed")) {
      refused.incrementAndGet();
    }
    return null;
  }

  @Test
  void messagesThatWereNotTakenBeforeTheNodeClosedAreReportedToTheirSender() {
    Node two = cluster().build(2, builder -> builder.set("pool.queue.messages", "4"));
    two.handle(
        Numbered.class,
        Execution.pool(1),
        (message, from) -> {
          begun.incrementAndGet();
          go.await();
          handled.incrementAndGet();
        });
    two.start();
    // A goodbye that is not heard in time is told when the link did not come back.
    Node one = cluster().open(1, builder -> builder.set("link.timeout", "20s"));
    for (int i = 0; i < 100; i++) {
      one.send(2, new Numbered(0, i));
    }
    await("a full queue", () -> begun.get() == 1 && two.metrics().messagesReceived() >= 4);
    Crew closing = new Crew().start(() -> close(two, Await.LONG));
    await("the node to close", () -> refusesToSend(two));
    go.countDown();
    closing.join();
    Await.until(
        Await.LONG,
        () -> handled + " handled and " + undeliveredBy1() + " reported to be all of 100",
        () -> handled.get() + undeliveredBy1() == 100);
    assertTrue(handled.get() < 100, "all were taken though the node closed");
    assertEquals(List.of(), cluster().events(2).dropped());
  }

  private int undeliveredBy1() {
    return cluster().events(1).undelivered().size();
  }

  /** In front of the first message of a round, of one in its middle, of the last one. */
  @Test
  void whatInlineHandlersTakeAsTheirNodeClosesIsHandledOrReportedNeverBoth() {
    Node one = cluster().open(1, builder -> builder.set("link.timeout", "20s"));
    int[] stops = {0, QUEUED / 2, QUEUED - 1};
    for (int i = 0; i < stops.length; i++) {
      int reportedBefore = undeliveredBy1();
      Busy busy = new Busy(stops[i]);
      Node closing = build(2 + i);
      closing.handle(Numbered.class, (message, from) -> busy.handle(message.number()));
      closing.start();
      for (int number = 0; number < QUEUED; number++) {
        one.send(closing.id(), new Numbered(0, number));
      }
      busy.closeMeanwhile(closing);
      int ends = i + 1;
      await("the end to be told", () -> cluster().events(1).lostReasons().size() == ends);
      int reported = undeliveredBy1() - reportedBefore;
      assertEquals(QUEUED, busy.handled.get() + reported, busy.handled + " handled, the rest told");
    }
  }

  @Test
  void requestThatAnInlineHandlerAnswersAsItsNodeClosesIsAnswered() throws Exception {
    Busy busy = new Busy(0);
    Node two = build(2);
    two.handle(
        Ask.class,
        (ask, from) -> {
          busy.handle(ask.number());
          from.reply(new Answer(ask.number()));
        });
    two.start();
    var answer = open(1).requestAsync(2, new Ask(0), Answer.class, Await.LONG);
    busy.closeMeanwhile(two);
    assertEquals(0, answer.get().number());
  }

  @Test
  void whatAnInlineHandlerTakesAsItsSenderIsRemovedIsHandledOrReportedNeverBoth() {
    Busy busy = new Busy(QUEUED / 2);
    Node two = build(2);
    two.handle(Numbered.class, (message, from) -> busy.handle(message.number()));
    two.start();
    Node one = open(1);
    for (int number = 0; number < QUEUED; number++) {
      one.send(2, new Numbered(0, number));
    }
    await("the handler", () -> busy.isAtWork.getCount() == 0);
    Crew removing = new Crew().start(() -> remove(two));
    busy.goOn();
    removing.join();
    await("the end to be told", () -> cluster().events(1).lostReasons().size() == 1);
    assertEquals(QUEUED, busy.handled.get() + undeliveredBy1(), busy.handled + " handled");
  }

  /** As one does that has called System.exit, which waits for a hook that closes the node. */
  @Test
  void handlerThatDoesNotReturnKeepsNoNodeFromClosing() {
    Busy busy = new Busy(0);
    Node two = build(2);
    two.handle(Numbered.class, (message, from) -> busy.handle(message.number()));
    two.start();
    Node one = open(1);
    one.send(2, new Numbered(0, 0));
    await("the handler", () -> busy.isAtWork.getCount() == 0);
    two.close(Duration.ofMillis(50));
    assertTrue(two.isClosed());
    await("the end to be told", () -> cluster().events(1).lostReasons().size() == 1);
    busy.mayGoOn.countDown();
    await("the handler to return", () -> busy.handled.get() == 1);
  }

  private static Void remove(Node from) {
    from.removePeer(1);
    return null;
  }

  /** A handler that stands still at one of its messages. */
  private static final class Busy {
    private static final long EARLY_MS = 50; // in which a goodbye that came too early is heard
    final CountDownLatch isAtWork = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);
    final AtomicInteger handled = new AtomicInteger();
    private final int stop;

    Busy(int stop) {
      this.stop = stop;
    }

    void handle(long number) throws InterruptedException {
      if (number == stop) {
        isAtWork.countDown();
        mayGoOn.await();
      }
      handled.incrementAndGet();
    }

    void goOn() {
      Await.idle(Duration.ofMillis(EARLY_MS));
      mayGoOn.countDown();
    }

    void closeMeanwhile(Node node) {
      Await.until(Await.LONG, () -> "the handler", () -> isAtWork.getCount() == 0);
      Crew closing = new Crew().start(() -> close(node, Await.LONG));
      Await.until(Await.LONG, () -> "the node to close", () -> refusesToSend(node));
      goOn();
      closing.join();
    }
  }

  @Test
  void handlerMayAskOthersWhileItsNodeCloses() {
    Node three = build(3);
    three.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
    three.start();
    Node two = build(2);
    two.handle(
        Ask.class,
        Execution.virtual(),
        (ask, from) -> {
          begun.incrementAndGet();
          go.await();
          from.reply(two.request(3, ask, Answer.class, Await.LONG));
        });
    two.start();
    Node one = open(1);
    Crew asking =
        new Crew()
            .start(
                () -> {
                  assertEquals(8, one.request(2, new Ask(7), Answer.class, Await.LONG).number());
                  return null;
                });
    await("the handler", () -> begun.get() == 1);
    Crew closing = new Crew().start(() -> close(two, Await.LONG));
    await("the node to close", () -> refusesToSend(two));
    go.countDown();
    asking.join();
    closing.join();
  }

  @Test
  void whatANodeHasSentToItselfIsHandledBeforeItIsClosed() {
    Node one = build(1);
    one.handle(
        Numbered.class,
        Execution.pool(1),
        (message, from) -> {
          go.await();
          if (handled.incrementAndGet() == 1) {
            one.send(1, message);
          }
        });
    one.start();
    one.send(1, new Numbered(0, 0));
    Crew closing = new Crew().start(() -> close(one, Await.LONG));
    await("the node to close", () -> refusesToSend(one));
    go.countDown();
    closing.join();
    assertEquals(2, handled.get());
  }

  @Test
  void poolHandlerMayCloseItsOwnNodeAndOthersAwaitThat() throws InterruptedException {
    Node two = build(2);
    AtomicBoolean refused = new AtomicBoolean();
    two.handle(
        Ask.class,
        Execution.pool(1),
        (ask, from) -> {
          try {
            two.awaitClosed();
          } catch (IllegalStateException e) {
            refused.set(true);
          }
          two.close(Await.LONG);
          from.reply(new Answer(ask.number()));
        });
    two.start();
    Node one = open(1);
    AtomicBoolean over = new AtomicBoolean();
    Crew waiting =
        new Crew()
            .start(
                () -> {
                  two.awaitClosed();
                  over.set(true);
                  return null;
                });
    assertFalse(over.get());
    assertEquals(1, one.request(2, new Ask(1), Answer.class, Await.LONG).number());
    waiting.join();
    assertTrue(over.get());
    assertTrue(refused.get(), "a handler that waits for its own node's end is told");
  }

  /** The end waits for the handler, which waits for the listener to have returned from closing. */
  @Test
  void listenerMayCloseItsOwnNodeAndThatReturnsAtOnce() throws InterruptedException {
    Node two = build(2);
    two.handle(
        Numbered.class,
        Execution.pool(1),
        (message, from) -> {
          begun.incrementAndGet();
          go.await();
          handled.incrementAndGet();
        });
    AtomicBoolean refused = new AtomicBoolean();
    two.addListener(
        new NodeListener() {
          @Override
          public void connected(ConnectionInfo connection) {
            if (connection.nodeId() == 1) {
              two.close(Await.LONG);
              refused.set(isRefusedToAwaitTheEndOf(two));
              go.countDown();
            }
          }
        });
    two.start();
    two.send(2, new Numbered(0, 0));
    await("the handler", () -> begun.get() == 1);
    Node one = open(1);
    await(
        "the listener to return",
        () -> {
          dial(one);
          return go.getCount() == 0;
        });
    two.awaitClosed();
    assertEquals(1, handled.get());
    assertTrue(refused.get(), "a listener that waits for its own node's end is told");
  }

  private static void dial(Node from) {
    try {
      from.trySend(2, new Unheard(0)); // would not wait for a node that is closed
    } catch (PeerLostException e) {
      // its node closes as soon as the listener hears of the connection
    }
  }

  private static boolean isRefusedToAwaitTheEndOf(Node node) {
    try {
      node.awaitClosed();
      return false;
    } catch (IllegalStateException e) {
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
