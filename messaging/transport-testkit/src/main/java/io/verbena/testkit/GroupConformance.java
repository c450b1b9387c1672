// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.ConnectionInfo;
import io.verbena.GroupSendException;
import io.verbena.MessageTooLargeException;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.PeerUnreachableException;
import io.verbena.UnknownPeerException;
import io.verbena.UnregisteredTypeException;
import io.verbena.testkit.TestMessages.Ball;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Counted;
import io.verbena.testkit.TestMessages.Extra;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A message to many nodes is encoded once and gets to all that can be reached. */
public abstract class GroupConformance extends ConformanceCase {

  private static final List<Integer> GROUP = List.of(2, 3, 4);
  private static final int LANE_BYTES = 65_536;

  private final Series[] series = {new Series(), new Series(), new Series()};
  private final AtomicInteger blobs = new AtomicInteger();

  /** For a transport. */
  protected GroupConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  private void openGroup() {
    for (int i = 0; i < GROUP.size(); i++) {
      Series mine = series[i];
      Node node = build(GROUP.get(i));
      node.handle(Numbered.class, (message, from) -> mine.take(message));
      node.handle(Counted.class, (message, from) -> blobs.incrementAndGet());
      node.handle(
          Blob.class,
          (blob, from) -> {
            if (Pattern.difference(blob.number(), blob.data()).isEmpty()) {
              blobs.incrementAndGet();
            }
          });
      node.start();
    }
  }

  @Test
  void everyNodeGetsEveryMessageInOrder() {
    openGroup();
    Node one = open(1);
    for (int i = 0; i < 10_000; i++) {
      if (i % 2 == 0) {
        one.send(GROUP, new Numbered(0, i));
      } else {
        GROUP.forEach(odd(one, i));
      }
    }
    for (Series each : series) {
      each.awaitAll(1, 10_000);
    }
    assertEquals(30_000, one.metrics().messagesSent());
  }

  private static java.util.function.Consumer<Integer> odd(Node node, int number) {
    return to -> node.send(to, new Numbered(0, number));
  }

  @Test
  void messageOfAnySizeIsEncodedOnce() {
    openGroup();
    Node one = cluster().open(1, builder -> builder.laneBytes(LANE_BYTES));
    int encoded = Counted.ENCODED.get();
    one.send(GROUP, new Counted(1));
    assertEquals(encoded + 1, Counted.ENCODED.get());
    for (int size : new int[] {0, 1, 1000, LANE_BYTES / 2, LANE_BYTES, 1 << 20}) {
      one.send(GROUP, new Blob(size, Pattern.bytes(size, size)));
    }
    await("seven messages at three nodes, " + blobs, () -> blobs.get() == 21);
  }

  @Test
  void failureAtSomeNodesKeepsNoOtherFromGettingIt() {
    openGroup();
    Node one = cluster().open(1, builder -> builder.set("connect.timeout", "200ms"));
    one.handle(Counted.class, (message, from) -> {});
    for (int id : GROUP) { // they have more time for it
      cluster().node(id).send(1, new Counted(0));
    }
    await("links", () -> one.connections().stream().filter(GroupConformance::isUp).count() == 3);
    GroupSendException failure =
        assertThrows(
            GroupSendException.class, () -> one.send(List.of(8, 2, 99, 3, 4), new Numbered(0, 0)));
    for (Series each : series) {
      each.awaitAll(1, 1);
    }
    assertEquals(Set.of(8, 99), failure.failures().keySet());
    assertInstanceOf(PeerUnreachableException.class, failure.failures().get(8));
    assertInstanceOf(UnknownPeerException.class, failure.failures().get(99));
    assertEquals(2, failure.getSuppressed().length);
    String text = String.valueOf(failure.getMessage());
    assertTrue(
        text.contains("2 of 5") && text.contains("node 8") && text.contains("node 99"), text);
  }

  private static boolean isUp(ConnectionInfo connection) {
    return connection.state() == ConnectionInfo.State.CONNECTED;
  }

  @Test
  void whatConcernsAllIsThrownAsItIs() {
    openGroup();
    Node one = open(1);
    assertThrows(UnregisteredTypeException.class, () -> one.send(GROUP, new Extra(1)));
    Node small = cluster().open(5, builder -> builder.set("message.max.bytes", "4K"));
    assertThrows(
        MessageTooLargeException.class, () -> small.send(GROUP, new Ball(1, new byte[5000])));
    one.close();
    assertThrows(NodeClosedException.class, () -> one.send(GROUP, new Numbered(0, 0)));
  }

  @Test
  void nodesThatHaveRoomDoNotWaitForOneThatHasNone() {
    AtomicBoolean go = new AtomicBoolean();
    Node five = build(5);
    five.handle(Numbered.class, (message, from) -> Await.holdsWithin(Await.LONG, go::get));
    five.start();
    openGroup();
    Node one = cluster().open(1, builder -> builder.laneBytes(LANE_BYTES));
    one.send(GROUP, new Numbered(0, 0));
    while (one.trySend(5, new Numbered(0, 0)) != io.verbena.SendResult.FULL) {
      Thread.onSpinWait();
    }
    Crew sending =
        new Crew()
            .start(
                () -> {
                  one.send(List.of(5, 2, 3, 4), new Numbered(0, 1));
                  return null;
                });
    try {
      for (Series each : series) {
        each.awaitAll(1, 2);
      }
    } finally {
      go.set(true);
    }
    sending.join();
  }

  @Test
  void inlineHandlerMaySendToMany() {
    openGroup();
    Node one = build(1);
    one.handle(Ball.class, (ball, from) -> one.send(GROUP, new Numbered(0, ball.hops())));
    one.start();
    Node five = open(5);
    for (int i = 0; i < 1000; i++) {
      five.send(1, new Ball(i, new byte[0]));
    }
    for (Series each : series) {
      each.awaitAll(1, 1000);
    }
  }
}
