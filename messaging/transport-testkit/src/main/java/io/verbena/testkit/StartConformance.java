// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A node takes its first byte when it is started, not before it has its handlers. */
public abstract class StartConformance extends ConformanceCase {

  private static final int LIVES = 5;
  private static final int TRIES = 50;

  /** For a transport. */
  protected StartConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void nothingIsTakenBeforeTheNodeIsStarted() {
    Node two = build(2);
    Node one = open(1);
    for (int i = 0; i < TRIES; i++) {
      assertEquals(SendResult.CONNECTING, one.trySend(2, new Numbered(0, 0)));
      Await.idle(Duration.ofMillis(2));
    }
    Series series = new Series();
    two.handle(Numbered.class, (message, from) -> series.take(message));
    two.start();
    for (int i = 0; i < 100; i++) {
      one.send(2, new Numbered(0, i));
    }
    series.awaitAll(1, 100);
    assertEquals(List.of(), cluster().events(2).handlerFailures());
  }

  @Test
  void restartedNodeThatIsRedialledAtOnceTakesNoMessageWithoutItsHandler() {
    Node one = cluster().open(1, builder -> builder.set("connect.timeout", "20s"));
    AtomicBoolean stop = new AtomicBoolean();
    Crew crew = new Crew().start(() -> streamUntil(stop, one));
    for (int life = 0; life < LIVES; life++) {
      Node two = build(2);
      AtomicLong handled = new AtomicLong();
      two.handle(Numbered.class, (message, from) -> handled.incrementAndGet());
      two.start();
      await("messages in life " + life, () -> handled.get() > 1000);
      cluster().drop(2);
      assertEquals(List.of(), cluster().events(2).handlerFailures(), "life " + life);
      assertEquals(handled.get(), two.metrics().messagesReceived(), "life " + life);
    }
    stop.set(true);
    one.close(Duration.ZERO);
    crew.join();
  }

  private static Void streamUntil(AtomicBoolean stop, Node node) {
    while (!stop.get()) {
      try {
        node.send(2, new Numbered(0, 0));
      } catch (PeerLostException e) {
        // It restarts: the next message is for its next life.
      } catch (NodeClosedException e) {
        return null;
      }
    }
    return null;
  }

  @Test
  void handlersThatSendAsSoonAsTheNodeStartsAreServed() {
    Node one = open(1);
    Node two = build(2);
    Node three = open(3);
    three.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
    two.handle(
        Ask.class,
        Execution.virtual(),
        (ask, from) -> from.reply(two.request(3, ask, Answer.class, Await.LONG)));
    AtomicLong answer = new AtomicLong();
    Crew crew =
        new Crew()
            .start(
                () -> {
                  answer.set(one.request(2, new Ask(6), Answer.class, Await.LONG).number());
                  return null;
                });
    two.start();
    crew.join();
    assertEquals(7, answer.get());
  }

  /** One without a network has no address, and needs none. */
  @Test
  void nodeThatListensAtAnyPortIsReachedAtTheOneItWasGiven() throws InterruptedException {
    Node one = cluster().build(1, builder -> builder.listen("127.0.0.1:0"));
    Node two = cluster().build(2, builder -> builder.listen("127.0.0.1:0"));
    assertEquals("", two.address());
    two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
    two.start();
    one.start();
    assertFalse(two.address().endsWith(":0"), two.address());
    one.addPeer(2, two.address());
    two.addPeer(1, one.address());
    assertEquals(7, one.request(2, new Ask(6), Answer.class, Await.LONG).number());
  }

  @Test
  void nodeThatIsNotStartedSaysSoAndMayBeClosed() {
    Node two = build(2);
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> two.send(1, new Numbered(0, 0)));
    assertEquals("node 2 is not started: call start() first", failure.getMessage());
    assertThrows(IllegalStateException.class, () -> two.trySend(1, new Numbered(0, 0)));
    assertThrows(IllegalStateException.class, () -> two.requestAsync(1, new Ask(0), Answer.class));
    assertThrows(IllegalStateException.class, () -> two.sender(1));
    two.close();
    assertThrows(NodeClosedException.class, two::start);
    assertThrows(NodeClosedException.class, () -> two.send(1, new Numbered(0, 0)));
    Node one = open(1);
    assertThrows(IllegalStateException.class, one::start);
  }
}
