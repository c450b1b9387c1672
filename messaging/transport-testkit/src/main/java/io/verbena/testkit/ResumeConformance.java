// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Node;
import io.verbena.PeerRestartedException;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Broken wires between living nodes lose and repeat nothing; a new life is not taken for the old.
 */
public abstract class ResumeConformance extends ConformanceCase {

  private static final int CUTS = 20;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

  /** For a transport. */
  protected ResumeConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void losesAndRepeatsNothingWhenTheWireIsCutUnderLoad() {
    Series series = new Series();
    open(2).handle(Numbered.class, (message, from) -> series.take(message));
    Node sender = open(1);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong[] sent = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
    Crew crew =
        new Crew()
            .start(() -> streamShared(sender, 0, stop, sent[0]))
            .start(() -> streamShared(sender, 1, stop, sent[1]))
            .start(() -> streamExclusive(sender, 2, stop, sent[2]));
    cutManyTimes(series);
    stop.set(true);
    crew.join();
    for (int source = 0; source < 3; source++) {
      int me = source;
      await(
          "source " + me + ": all " + sent[me] + ", came " + series,
          () -> series.count(me) == sent[me].get());
    }
    series.check();
    assertEquals(0, cluster().events(1).undelivered().size());
    assertEquals(java.util.List.of(), cluster().events(1).lostReasons());
  }

  @Test
  void everyRequestIsAnsweredWhenTheWireIsCutMeanwhile() {
    open(2).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    Node node = open(1);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    Crew crew = new Crew();
    for (int i = 0; i < 2; i++) {
      crew.start(
          () -> {
            while (!stop.get()) {
              int number = asked.incrementAndGet();
              Answer answer = node.request(2, new Ask(number), Answer.class, Await.LONG);
              assertEquals(number, answer.number());
            }
            return null;
          });
    }
    await("some", () -> asked.get() > 100);
    for (int cut = 0; cut < CUTS / 2; cut++) {
      int before = asked.get();
      cutOnce(cut);
      await("requests after cut " + cut, () -> asked.get() > before + 100);
    }
    stop.set(true);
    crew.join();
  }

  @Test
  void largeMessagesSurviveCutsInTheirMiddle() {
    AtomicInteger came = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    open(2)
        .handle(
            Blob.class,
            (blob, from) -> {
              if (blob.number() != came.getAndIncrement()
                  || !Pattern.difference(blob.number(), blob.data()).isEmpty()) {
                wrong.incrementAndGet();
              }
            });
    Node sender = open(1);
    int blobs = 60;
    Crew crew =
        new Crew()
            .start(
                () -> {
                  for (int i = 0; i < blobs; i++) {
                    sender.send(2, new Blob(i, Pattern.bytes(i, 700_000 + i)));
                  }
                  return null;
                });
    SplittableRandom random = new SplittableRandom(seed);
    await("the first", () -> came.get() > 0);
    for (int cut = 0; cut < 10 && came.get() < blobs; cut++) {
      cluster().transport().cutSoon(1, 2, random.nextLong());
      Await.idle(Duration.ofMillis(10));
    }
    crew.join();
    await(came + " of " + blobs + ", seed " + seed, () -> came.get() == blobs);
    assertEquals(0, wrong.get(), "blobs damaged or out of order, seed " + seed);
  }

  @Test
  void idleLinkThatWasCutIsBackForTheNextMessage() {
    Series series = new Series();
    open(2).handle(Numbered.class, (message, from) -> series.take(message));
    Node sender = open(1);
    for (int i = 0; i < 20; i++) {
      sender.send(2, new Numbered(0, i));
      series.awaitAll(1, i + 1L);
      cluster().cut(1, 2);
    }
  }

  /** All of them have arrived, so the next link brings nothing that would tell of them. */
  @Test
  void messagesThatWaitForHandlersWhenTheWireIsCutAreHandledOverTheNextLink() {
    SlowPeer slow = new SlowPeer(cluster());
    Node sender = SlowPeer.openSmall(cluster(), 1);
    long accepted = slow.fill(sender);
    cutOnce(0);
    slow.letGo();
    slow.awaitHandled(accepted);
  }

  @Test
  void closingIdleConnectionsLosesNothingWhenTheWireIsCutMeanwhile() {
    Node one = cluster().open(1, builder -> builder.set("connections.max", "1"));
    Node[] nodes = {one, open(2), open(3)};
    Series[] received = {new Series(), new Series(), new Series()};
    for (int i = 0; i < nodes.length; i++) {
      Series series = received[i];
      nodes[i].handle(Numbered.class, (message, from) -> series.take(message));
    }
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong toOthers = new AtomicLong();
    AtomicLong[] toOne = {new AtomicLong(), new AtomicLong()};
    Crew crew =
        new Crew()
            .start(() -> sendToEachInTurn(one, stop, toOthers))
            .start(() -> sendNowAndThen(nodes[1], 0, stop, toOne[0]))
            .start(() -> sendNowAndThen(nodes[2], 1, stop, toOne[1]));
    SplittableRandom random = new SplittableRandom(seed);
    for (int cut = 0; cut < CUTS; cut++) {
      cluster().transport().cutSoon(1, 2 + cut % 2, random.nextLong());
      Await.idle(Duration.ofMillis(20));
    }
    await("some to be closed", () -> closed(one) > 2);
    stop.set(true);
    crew.join();
    for (int i = 0; i < 2; i++) {
      int other = i;
      await(
          "all of node 1 at " + (2 + other) + ", seed " + seed,
          () -> received[1 + other].count(0) == toOthers.get());
      await(
          "all of node " + (2 + other) + ", seed " + seed,
          () -> received[0].count(other) == toOne[other].get());
    }
    for (int i = 0; i < nodes.length; i++) {
      received[i].check();
      assertEquals(0, cluster().events(1 + i).undelivered().size(), "seed " + seed);
      assertEquals(java.util.List.of(), cluster().events(1 + i).lostReasons(), "seed " + seed);
    }
  }

  private static long closed(Node node) {
    return node.metrics().snapshot().getOrDefault("connections.evicted", 0L);
  }

  /** Each message makes the connection to the other peer one too many. */
  private static Void sendToEachInTurn(Node one, AtomicBoolean stop, AtomicLong sent) {
    while (!stop.get()) {
      one.send(2, new Numbered(0, sent.get()));
      Await.idle(Duration.ofMillis(2));
      one.send(3, new Numbered(0, sent.getAndIncrement()));
      Await.idle(Duration.ofMillis(2));
    }
    return null;
  }

  private static Void sendNowAndThen(Node node, int source, AtomicBoolean stop, AtomicLong sent) {
    while (!stop.get()) {
      node.send(1, new Numbered(source, sent.getAndIncrement()));
      Await.idle(Duration.ofMillis(10));
    }
    return null;
  }

  @Test
  void openRequestsFailAndUnconsumedMessagesAreReportedWhenThePeerRestarts() {
    Series before = new Series();
    Node former = open(2);
    former.handle(Numbered.class, (message, from) -> before.take(message));
    former.handle(Ask.class, (ask, from) -> from.retain());
    Node sender = open(1);
    sender.send(2, new Numbered(0, 0));
    before.awaitAll(1, 1);
    CompletableFuture<Answer> open = sender.requestAsync(2, new Ask(1), Answer.class);
    await("all consumed", () -> isConsumed(sender));

    cluster().transport().isolate(2, true);
    await("the loss", () -> cluster().events(1).disconnectedTimes() > 0);
    for (int i = 1; i <= 100; i++) {
      sender.send(2, new Numbered(0, i)); // the lane keeps them for a peer that may come back
    }
    cluster().drop(2);
    Series after = restart();

    CompletionException failure = Assertions.assertThrows(CompletionException.class, open::join);
    Assertions.assertInstanceOf(PeerRestartedException.class, failure.getCause());
    await("the report", () -> cluster().events(1).restartedTimes() == 1);
    assertEquals(100, cluster().events(1).undelivered().size());
    assertEquals(1, before.count(0));
    for (int i = 0; i < 50; i++) {
      sender.send(2, new Numbered(1, i));
    }
    await("the new life's messages", () -> after.count(1) == 50);
    after.check();
    assertEquals(0, after.count(0), "data for a dead life reached the new one");
  }

  @Test
  void restartedPeerReachesItsFormerPeersByItself() throws InterruptedException {
    Node one = open(1);
    one.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    for (int life = 0; life < 5; life++) {
      Node two = build(2);
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(-ask.number())));
      two.start();
      assertEquals(life, two.request(1, new Ask(life), Answer.class, Await.LONG).number());
      assertEquals(-life, one.request(2, new Ask(life), Answer.class, Await.LONG).number());
      cluster().transport().isolate(2, true);
      cluster().drop(2);
      cluster().transport().isolate(2, false);
    }
  }

  @Test
  void peerThatClosedIsReachedAgainAfterItOpened() throws InterruptedException {
    // A goodbye that is not heard in time is told when the link did not come back.
    Node one = cluster().open(1, builder -> builder.set("link.timeout", "20s"));
    for (int life = 0; life < 5; life++) {
      Node two = open(2);
      two.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      assertEquals(life, one.request(2, new Ask(life), Answer.class, Await.LONG).number());
      two.close();
      int goodbyes = life + 1;
      await("goodbye", () -> cluster().events(1).lostReasons().size() == goodbyes);
    }
  }

  private Series restart() {
    cluster().transport().isolate(2, false);
    Series after = new Series();
    Node reborn = build(2); // it is redialled at once
    reborn.handle(Numbered.class, (message, from) -> after.take(message));
    reborn.start();
    return after;
  }

  private static boolean isConsumed(Node node) {
    return node.connections().stream()
        .allMatch(info -> info.sentPosition() == info.consumedPosition());
  }

  private void cutManyTimes(Series series) {
    await("the first messages", () -> series.count(0) > 1000);
    for (int cut = 0; cut < CUTS; cut++) {
      long before = series.count(0);
      cutOnce(cut);
      await("messages after cut " + cut + ", seed " + seed, () -> series.count(0) > before + 1000);
    }
  }

  private void cutOnce(int cut) {
    int links = cluster().events(1).connectedTimes();
    if (cut % 2 == 0) {
      cluster().cut(1, 2);
    } else {
      cluster().transport().cutSoon(1, 2, seed + cut);
    }
    await("link after cut " + cut, () -> cluster().events(1).connectedTimes() > links);
  }

  private static Void streamShared(Node node, int source, AtomicBoolean stop, AtomicLong sent) {
    while (!stop.get()) {
      node.send(2, new Numbered(source, sent.get()));
      sent.incrementAndGet();
    }
    return null;
  }

  private static Void streamExclusive(Node node, int source, AtomicBoolean stop, AtomicLong sent) {
    try (Sender lane = node.sender(2)) {
      while (!stop.get()) {
        lane.send(new Numbered(source, sent.get()));
        sent.incrementAndGet();
      }
    }
    return null;
  }
}
