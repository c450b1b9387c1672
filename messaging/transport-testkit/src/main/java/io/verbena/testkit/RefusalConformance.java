// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Node;
import io.verbena.PeerLostException;
import io.verbena.PeerRefusedException;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Nodes that do not belong together are told so, on both sides, and others are not disturbed. */
public abstract class RefusalConformance extends ConformanceCase {

  private static final String KEY = "00112233445566778899aabbccddeeff";
  private static final String OTHER_KEY = "ffeeddccbbaa99887766554433221100";

  /** For a transport. */
  protected RefusalConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void nodesWithTheSameKeyTalk() throws InterruptedException {
    openWithKey(2, KEY);
    Node one = openWithKey(1, KEY);
    assertEquals(1, one.request(2, new Ask(1), Answer.class, Await.LONG).number());
  }

  @Test
  void wrongKeyIsRefusedOnBothSides() {
    Node two = openWithKey(2, OTHER_KEY);
    Node one = openWithKey(1, KEY);
    refusesNaming(one, 2, "key");
    refusesNaming(two, 1, "key");
    for (Node node : List.of(one, two)) {
      Await.until(
          "a count of what was refused at node " + node.id(),
          () -> node.metrics().snapshot().getOrDefault("links.rejected.KEY", 0L) > 0);
    }
  }

  @Test
  void keyAgainstNoKeyIsRefusedOnBothSides() {
    Node two = open(2);
    Node one = openWithKey(1, KEY);
    refusesNaming(one, 2, "key");
    refusesNaming(two, 1, "key");
  }

  @Test
  void differentTypeTablesAreRefusedNamingTheTypeOnBothSides() {
    Node two = cluster().open(2, builder -> builder.types(TestMessages.otherTypes()));
    Node one = open(1);
    refusesNaming(one, 2, "Extra");
    refusesNaming(two, 1, "Extra");
  }

  @Test
  void refusedNodeDoesNotDisturbOthers() throws InterruptedException {
    open(2).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    Node stranger = openWithKey(3, OTHER_KEY);
    Node one = open(1);
    for (int i = 0; i < 20; i++) {
      assertThrows(PeerLostException.class, () -> stranger.send(2, new Ask(0)));
      assertEquals(i, one.request(2, new Ask(i), Answer.class, Await.LONG).number());
    }
  }

  @Test
  void moreLanesThanThePeerAcceptsEndTheSessionAndTheSenderIsTold() {
    AtomicInteger handled = new AtomicInteger();
    Node two = cluster().open(2, builder -> builder.set("lanes.max", "2"));
    two.handle(Numbered.class, (message, from) -> handled.incrementAndGet());
    Node one = open(1);
    try (Sender first = one.sender(2)) {
      assertThrows(PeerLostException.class, () -> useAnotherLane(one));
      await("the reason", () -> !cluster().events(1).lostReasons().isEmpty());
      String why = cluster().events(1).lostReasons().getFirst();
      assertTrue(why.contains("lanes.max"), why);
      assertEquals(1, two.metrics().snapshot().get("sessions.broken.too-many-lanes"));
      assertThrows(PeerLostException.class, () -> first.send(new Numbered(1, 1)));
    }
    one.send(2, new Numbered(0, 0)); // the shared lane of the next session is as good as any
    await("a message", () -> handled.get() == 1);
    Await.idle(Duration.ofMillis(500));
    int links = cluster().events(1).connectedTimes();
    assertTrue(links <= 3, links + " links");
  }

  /** The sender may be told while it opens the lane, or when it uses it. */
  private void useAnotherLane(Node node) {
    try (Sender sender = node.sender(2)) {
      await("the reason", () -> !cluster().events(1).lostReasons().isEmpty());
      sender.send(new Numbered(1, 2));
    }
  }

  /** Whichever side finds out first, while a receiving thread is busy, that the link is gone. */
  @Test
  void reasonOfThePeerIsToldThoughThisSideNoticesTheEndFirst() {
    Node two = cluster().open(2, builder -> builder.set("lanes.max", "2"));
    Semaphore handler = new Semaphore(0);
    Node one = open(1);
    CountDownLatch busy = new CountDownLatch(1);
    one.handle(
        Ask.class,
        (ask, from) -> {
          busy.countDown();
          handler.acquireUninterruptibly();
        });
    one.send(2, new Numbered(0, 0));
    two.send(1, new Ask(1));
    await("node 1 to hear nothing from here on", () -> busy.getCount() == 0);
    try (Sender first = one.sender(2);
        Sender second = one.sender(2)) {
      await("the end", () -> !cluster().events(2).lostReasons().isEmpty());
      second.trySend(new Numbered(1, 1));
      try (Sender third = one.sender(2)) {
        third.trySend(new Numbered(1, 1));
        handler.release();
        await("the reason", () -> !cluster().events(1).lostReasons().isEmpty());
      }
    }
    String why = cluster().events(1).lostReasons().getFirst();
    assertTrue(why.contains("lanes.max"), why);
  }

  private Node openWithKey(int id, String key) {
    Node node = cluster().open(id, builder -> builder.set("cluster.key", key));
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    return node;
  }

  private static void refusesNaming(Node from, int to, String word) {
    PeerRefusedException failure =
        assertThrows(PeerRefusedException.class, () -> from.send(to, new Ask(1)));
    String text = String.valueOf(failure.getMessage());
    assertTrue(text.contains(word), text);
  }
}
