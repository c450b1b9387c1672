// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.MessageTooLargeException;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.UnknownPeerException;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Senders that do not wait for room but have themselves told of it. */
public abstract class RoomConformance extends ConformanceCase {

  private static final int MESSAGES = 20_000;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());

  /** For a transport. */
  protected RoomConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  private static void awaitRoom(CompletableFuture<Void> room)
      throws ExecutionException, InterruptedException, TimeoutException {
    room.get(Await.LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private static @Nullable Throwable failureOf(CompletableFuture<Void> room) {
    ExecutionException failure = assertThrows(ExecutionException.class, () -> awaitRoom(room));
    return failure.getCause();
  }

  @Test
  void roomIsToldOfOnceASlowPeerGoesOn() throws Exception {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    long accepted = slow.fill(node);
    CompletableFuture<Void> room = node.whenRoom(2, SlowPeer.ballast());
    CompletableFuture<Void> unwanted = node.whenRoom(2, SlowPeer.ballast());
    assertTrue(unwanted.cancel(false));
    assertFalse(room.isDone());

    slow.letGo();

    awaitRoom(room);
    assertEquals(SendResult.ACCEPTED, node.trySend(2, SlowPeer.ballast()));
    slow.awaitHandled(accepted + 1);
  }

  @Test
  void roomInAnExclusiveLaneIsToldOfAsExactly() throws Exception {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    long accepted = slow.fill(node); // its handlers take no more of this peer
    try (Sender sender = node.sender(2)) {
      while (sender.trySend(SlowPeer.ballast()) == SendResult.ACCEPTED) {
        accepted++;
      }
      CompletableFuture<Void> some = sender.whenRoom(SlowPeer.ballast());
      CompletableFuture<Void> most = sender.whenRoom(sender.maxClaim());
      assertFalse(most.isDone());

      slow.letGo();

      awaitRoom(some);
      awaitRoom(most);
      assertTrue(sender.tryClaim(TestMessages.VIEW, sender.maxClaim()) >= 0);
      sender.abort();
      assertEquals(SendResult.ACCEPTED, sender.trySend(SlowPeer.ballast()));
      slow.awaitHandled(accepted + 1);
    }
  }

  @Test
  void handlerSendsMoreThanThereIsRoomForAndNeitherWaitsNorQueues() {
    Series series = new Series();
    Node two = SlowPeer.openSmall(cluster(), 2);
    two.handle(Numbered.class, (message, from) -> series.take(message));
    Node one = SlowPeer.openSmall(cluster(), 1);
    one.handle(Blob.class, (start, from) -> sendFrom(one, 0, 0));
    two.send(1, new Blob(0, new byte[0]));
    series.awaitAll(1, MESSAGES);
  }

  /** What one thread does as far as there is room, then whoever tells of it. */
  private static void sendFrom(Node node, int source, long first) {
    for (long number = first; number < MESSAGES; number++) {
      Numbered next = new Numbered(source, number);
      if (node.trySend(2, next) != SendResult.ACCEPTED) {
        long rest = number;
        var unused =
            node.whenRoom(2, next)
                .whenComplete((room, failure) -> goOn(node, source, rest, failure));
        return;
      }
    }
  }

  private static void goOn(Node node, int source, long rest, @Nullable Throwable failure) {
    if (failure == null) {
      sendFrom(node, source, rest);
    }
  }

  @Test
  void manySendersThatDoNotWaitLoseNothing() {
    Series series = new Series();
    SplittableRandom random = new SplittableRandom(seed);
    Node two = SlowPeer.openSmall(cluster(), 2);
    two.handle(
        Numbered.class,
        (message, from) -> {
          series.take(message);
          if (message.number() % 1000 == random.nextInt(1000)) { // now and then there is no room
            Await.idle(Duration.ofMillis(2));
          }
        });
    Node one = SlowPeer.openSmall(cluster(), 1);
    Crew crew = new Crew();
    for (int source = 0; source < 4; source++) {
      int me = source;
      crew.start(
          () -> {
            sendFrom(one, me, 0);
            return null;
          });
    }
    crew.join();
    series.awaitAll(4, MESSAGES);
  }

  @Test
  void senderOfLargeMessagesIsToldWhenThereIsRoomForAllOfOne() throws Exception {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    long accepted = slow.fill(node);
    Blob large = new Blob(0, new byte[SlowPeer.LANE_BYTES / 3]); // more than one frame
    CompletableFuture<Void> room = node.whenRoom(2, large);
    assertFalse(room.isDone());
    slow.letGo();
    awaitRoom(room);
    assertEquals(SendResult.ACCEPTED, node.trySend(2, large));
    slow.awaitHandled(accepted + 1);
  }

  @Test
  void whatNeverFitsAtOnceIsRefused() {
    open(2);
    Node node = SlowPeer.openSmall(cluster(), 1);
    Blob whole = new Blob(0, new byte[SlowPeer.LANE_BYTES]);
    assertThrows(MessageTooLargeException.class, () -> node.whenRoom(2, whole));
    try (Sender sender = node.sender(2)) {
      assertThrows(MessageTooLargeException.class, () -> sender.whenRoom(whole));
      assertThrows(MessageTooLargeException.class, () -> sender.whenRoom(sender.maxClaim() + 1));
    }
    assertThrows(UnknownPeerException.class, () -> node.whenRoom(99, new Numbered(0, 0)));
  }

  @Test
  void peerThatIsNotConnectedIsAndThenThereIsRoom() throws Exception {
    AtomicLong heard = new AtomicLong();
    open(2).handle(Numbered.class, (message, from) -> heard.set(message.number()));
    Node node = open(1);
    Numbered message = new Numbered(0, 7);
    awaitRoom(node.whenRoom(2, message));
    assertEquals(SendResult.ACCEPTED, node.trySend(2, message));
    await("the message", () -> heard.get() == 7);
  }

  @Test
  void peerThatCannotBeReachedGivesNoRoom() {
    Node node = cluster().open(1, builder -> builder.set("connect.timeout", "200ms"));
    assertInstanceOf(PeerLostException.class, failureOf(node.whenRoom(2, new Numbered(0, 0))));
  }

  @Test
  void closingTheNodeFailsWhoWaitsForAConnection() {
    Node node = open(1);
    CompletableFuture<Void> room = node.whenRoom(2, new Numbered(0, 0));
    cluster().drop(1);
    assertInstanceOf(NodeClosedException.class, failureOf(room));
  }

  @Test
  void lossOfThePeerFailsWhoWaitsForRoom() {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    slow.fill(node);
    Sender sender = node.sender(2);
    while (sender.tryClaim(TestMessages.VIEW, sender.maxClaim()) >= 0) {
      sender.commit();
    }
    CompletableFuture<Void> shared = node.whenRoom(2, SlowPeer.ballast());
    CompletableFuture<Void> exclusive = sender.whenRoom(sender.maxClaim());
    node.giveUp(2, "on purpose");
    assertInstanceOf(PeerLostException.class, failureOf(shared));
    assertInstanceOf(PeerLostException.class, failureOf(exclusive));
    assertInstanceOf(PeerLostException.class, failureOf(sender.whenRoom(1)), "afterwards");
    slow.letGo();
  }

  @Test
  void closingTheNodeFailsWhoWaitsForRoom() {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    slow.fill(node);
    CompletableFuture<Void> room = node.whenRoom(2, SlowPeer.ballast());
    AtomicInteger told = new AtomicInteger();
    AtomicReference<@Nullable Throwable> again = new AtomicReference<>();
    var unused =
        room.whenComplete(
            (done, failure) -> {
              told.incrementAndGet();
              node.whenRoom(2, SlowPeer.ballast()).whenComplete((more, why) -> again.set(why));
            });
    cluster().drop(1);
    assertInstanceOf(NodeClosedException.class, failureOf(room));
    await("the one who asked again", () -> again.get() instanceof NodeClosedException);
    assertEquals(1, told.get());
    slow.letGo();
  }

  @Test
  void roomIsToldOfOverALinkThatTookAnothersPlace() throws Exception {
    SlowPeer slow = new SlowPeer(cluster());
    Node node = SlowPeer.openSmall(cluster(), 1);
    long accepted = slow.fill(node);
    CompletableFuture<Void> room = node.whenRoom(2, SlowPeer.ballast());
    cluster().cut(1, 2);
    slow.letGo();
    awaitRoom(room);
    slow.awaitHandled(accepted);
  }
}
