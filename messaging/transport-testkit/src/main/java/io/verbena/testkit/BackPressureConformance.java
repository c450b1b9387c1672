// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.BackPressureException;
import io.verbena.Execution;
import io.verbena.Node;
import io.verbena.SendResult;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Ball;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Slow receivers: memory stays bounded, others are not slowed, nothing locks up. */
public abstract class BackPressureConformance extends ConformanceCase {

  /** For a transport. */
  protected BackPressureConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void trySendReportsFullWhenTheHandlerIsSlowAndNothingAcceptedIsLost() {
    SlowPeer slow = new SlowPeer(cluster());
    Node sender = openSmall(1);
    long accepted = slow.fill(sender);
    slow.letGo();
    slow.awaitHandled(accepted);
    await("room", () -> sender.trySend(2, new Blob(1, new byte[10])) == SendResult.ACCEPTED);
  }

  @Test
  void slowPeerDoesNotSlowOtherPeers() throws InterruptedException {
    SlowPeer slow = new SlowPeer(cluster());
    slow.node().handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    open(3).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    Node sender = openSmall(1);
    slow.fill(sender);
    Node other = open(4);
    for (int i = 0; i < 200; i++) {
      // The full sender still reaches others, and the slow receiver still hears others.
      assertEquals(i, sender.request(3, new Ask(i), Answer.class, Await.LONG).number());
      assertEquals(i, other.request(2, new Ask(i), Answer.class, Await.LONG).number());
    }
    slow.letGo();
  }

  /**
   * What had to wait for the handlers is handed on when they have room, though nothing new comes.
   */
  @Test
  void messagesOfOneOfManyPeersWaitForTheHandlersAndAllArrive() {
    AtomicInteger handled = new AtomicInteger();
    Node receiver = cluster().open(1, builder -> builder.set("pool.queue.messages", "1"));
    receiver.handle(
        Numbered.class,
        Execution.pool(1),
        (message, from) -> {
          Thread.sleep(1);
          handled.incrementAndGet();
        });
    int peers = 8;
    for (int peer = 2; peer < 2 + peers; peer++) {
      open(peer).send(1, new Numbered(peer, 0));
    }
    await("each peer's first", () -> handled.get() == peers);
    for (int i = 1; i <= 200; i++) {
      cluster().node(2).send(1, new Numbered(2, i));
    }
    await("all of them", () -> handled.get() == peers + 200);
  }

  @Test
  void sendWaitsForRoomAndGoesOnWhenThereIsSome() {
    SlowPeer slow = new SlowPeer(cluster());
    Node sender = openSmall(1);
    long accepted = slow.fill(sender);
    AtomicInteger sent = new AtomicInteger();
    int more = 10_000; // many times what lanes, queues and sockets have room for
    Crew crew = new Crew();
    crew.start(
        () -> {
          for (int i = 0; i < more; i++) {
            sender.send(2, SlowPeer.ballast());
            sent.incrementAndGet();
          }
          return null;
        });
    Await.idle(Duration.ofMillis(50));
    assertTrue(sent.get() < more, () -> "a full lane took " + more + " messages");
    slow.letGo();
    crew.join();
    slow.awaitHandled(accepted + more);
  }

  @Test
  void handlersThatSendBothWaysNeitherLockUpNorLoseSilently() throws InterruptedException {
    AtomicLong handled = new AtomicLong();
    AtomicLong turnedAway = new AtomicLong();
    Node one = openSmall(1);
    Node two = openSmall(2);
    throwBack(one, 2, handled, turnedAway);
    throwBack(two, 1, handled, turnedAway);
    int balls = 8_000;
    new Crew().start(() -> serve(one, 2, balls)).start(() -> serve(two, 1, balls)).join();
    // Each ball is handled three times; a ball turned away counts the times it has missed.
    await(
        "every ball's end: " + handled + " handled, " + turnedAway + " missed",
        () -> handled.get() + turnedAway.get() == 2L * balls * 3);
    one.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    assertEquals(7, two.request(1, new Ask(7), Answer.class, Await.LONG).number());
  }

  @Test
  void handlerThatFloodsIsToldThatThereIsNoRoom() {
    SlowPeer slow = new SlowPeer(cluster());
    AtomicInteger told = new AtomicInteger();
    AtomicLong sentByHandler = new AtomicLong();
    Node flooding =
        cluster()
            .open(1, builder -> builder.laneBytes(SlowPeer.LANE_BYTES).set("overflow.bytes", "1M"));
    flooding.handle(
        Numbered.class,
        (message, from) -> {
          try {
            for (int i = 0; i < 1_000_000; i++) {
              flooding.send(2, SlowPeer.ballast());
              sentByHandler.incrementAndGet();
            }
          } catch (BackPressureException e) {
            told.incrementAndGet();
          }
        });
    flooding.send(2, new Blob(0, new byte[1])); // connects
    open(3).send(1, new Numbered(0, 0));
    await("the exception", () -> told.get() == 1);
    assertTrue(sentByHandler.get() * SlowPeer.BALLAST_BYTES < SlowPeer.BOUND_BYTES);
    slow.letGo();
    slow.awaitHandled(sentByHandler.get() + 1);
  }

  private static void throwBack(Node node, int to, AtomicLong handled, AtomicLong turnedAway) {
    node.handle(
        Ball.class,
        (ball, from) -> {
          handled.incrementAndGet();
          if (ball.hops() > 0) {
            try {
              node.send(to, new Ball(ball.hops() - 1, ball.ballast()));
            } catch (BackPressureException e) {
              turnedAway.addAndGet(ball.hops());
            }
          }
        });
  }

  private static Void serve(Node node, int to, int balls) {
    for (int i = 0; i < balls; i++) {
      node.send(to, new Ball(2, new byte[SlowPeer.BALLAST_BYTES]));
    }
    return null;
  }

  private Node openSmall(int id) {
    return SlowPeer.openSmall(cluster(), id);
  }
}
