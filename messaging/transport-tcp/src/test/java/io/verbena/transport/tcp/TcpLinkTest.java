// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links between two transports, without nodes. */
@Tag("timing")
class TcpLinkTest {

  private final TestNode one = node(1);
  private final TestNode two = node(2);

  /** A node that was not opened; another kind of connection configures its own. */
  TestNode node(int id) {
    return new TestNode(id);
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  private void open() throws IOException {
    one.open();
    two.open();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 15, 17, 100, 5000})
  void framesArriveOnceAndInOrderHoweverTheBytesAreSplit(int piece) throws Exception {
    open();
    int frames = piece == 1 ? 300 : 3000;
    try (Chopper chopper = new Chopper(two.port(), piece, piece)) {
      TestNode.SendLane lane = one.openLane(0, 4096);
      TestNode.SendLane other = one.openLane(5, 16384);
      one.dial(2, chopper.port());
      SplittableRandom random = new SplittableRandom(piece);
      for (int i = 0; i < frames; i++) {
        lane.send(random.nextInt(0, 500));
        other.send(random.nextInt(0, 3000));
      }
      two.awaitFrames(0, frames);
      two.awaitFrames(5, frames);
    }
  }

  @Test
  void largePayloadsAreReadStraightIntoTheReplica() throws Exception {
    open();
    TestNode.SendLane lane = one.openLane(0, 1 << 20);
    one.dial(2, two.port());
    for (int i = 0; i < 300; i++) {
      lane.send(200_000 + i);
    }
    two.awaitFrames(0, 300);
  }

  /** The session may go on over another link, whose bytes these would be written over. */
  @Test
  void whatIsStillThereWhenALinkBreaksIsNotTaken() throws Exception {
    open();
    TestNode.SendLane lane = one.openLane(0, 65536);
    two.onFrame =
        () -> {
          two.onFrame = () -> {};
          for (int i = 0; i < 10; i++) {
            lane.send(0);
          }
          LockSupport.parkNanos(200_000_000); // they are in the socket, unread
          ((TcpLink) two.links.element()).fail("it breaks");
        };
    one.dial(2, two.port());
    lane.send(0);
    assertThat(TestNode.poll(two.downs)).isEqualTo("it breaks");
    assertThat(two.receiving.get(0).frames).isEqualTo(1);
  }

  /** The loop looks after a burst that began while it did not know the link yet. */
  @Test
  void burstThatBeganBeforeTheLinkStartedIsLookedAfter() throws Exception {
    one.set("tcp.heartbeat", "1m").set("tcp.dead.after", "10m");
    open();
    TestNode.SendLane lane = one.openLane(0, 65536);
    one.onceAttached =
        () -> {
          for (int i = 0; i < 500; i++) {
            lane.send(0);
          }
          LockSupport.parkNanos(50_000_000); // the loop has looked, and sleeps
        };
    one.dial(2, two.port());
    two.awaitFrames(0, 500);
    Thread.sleep(50); // reports are over: no other reason to write
    long from = System.nanoTime();
    lane.send(0);
    two.awaitFrames(0, 501);
    assertThat(Duration.ofNanos(System.nanoTime() - from))
        .as("before the heartbeat")
        .isLessThan(Duration.ofSeconds(50));
  }

  @Test
  void bothDirectionsAtOnce() throws Exception {
    open();
    TestNode.SendLane there = one.openLane(0, 65536);
    TestNode.SendLane back = two.openLane(0, 65536);
    one.dial(2, two.port());
    Thread.ofPlatform().daemon().start(() -> sendMany(there));
    Thread.ofPlatform().daemon().start(() -> sendMany(back));
    awaitUninterrupted(two, 50_000);
    awaitUninterrupted(one, 50_000);
  }

  private static void sendMany(TestNode.SendLane lane) {
    for (int i = 0; i < 50_000; i++) {
      lane.send(i % 300);
    }
  }

  /** As a sender waits for ever on a link that is down, this tells why it is. */
  private void awaitUninterrupted(TestNode receiver, int frames) throws InterruptedException {
    TestNode.ReceiveLane lane = receiver.receiving.get(0);
    while (lane == null || lane.frames < frames) {
      assertThat(one.downs).isEmpty();
      assertThat(two.downs).isEmpty();
      Thread.sleep(1);
      lane = receiver.receiving.get(0);
    }
    assertThat(lane.wrong).isNull();
  }

  /** Places to cut all over the handshake and the first segments, in either direction. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resumesWhereverTheWireIsCut(boolean towardsTarget) throws Exception {
    open();
    int sent = 0;
    try (Chopper chopper = new Chopper(two.port(), 3, 64)) {
      TestNode.SendLane lane = one.openLane(0, 4096);
      for (int cut = 1; cut < 900; cut += 13) {
        if (towardsTarget) {
          chopper.cutAfterBytesTo(cut);
        } else {
          chopper.cutAfterBytesFrom(cut % 330 + 1);
        }
        for (int i = 0; i < 6; i++) {
          lane.send(40 + i);
          sent++;
        }
        dialUntilDelivered(chopper, sent);
      }
      assertThat(two.broken).isEmpty();
      assertThat(one.broken).isEmpty();
    }
  }

  private void dialUntilDelivered(Chopper chopper, int frames) throws Exception {
    long giveUp = System.nanoTime() + Await.LONG.toNanos();
    while (delivered() < frames) {
      assertThat(System.nanoTime()).as("time to deliver " + frames).isLessThan(giveUp);
      if (!isUp()) {
        tryDial(chopper);
      }
      Thread.sleep(0, 200_000);
    }
  }

  private void tryDial(Chopper chopper) {
    try {
      one.dial(2, chopper.port());
    } catch (IOException e) {
      // Cut in the handshake: once more.
    }
  }

  private long delivered() {
    TestNode.ReceiveLane lane = two.receiving.get(0);
    if (lane != null) {
      assertThat(lane.wrong).isNull();
    }
    return lane == null ? 0 : lane.frames;
  }

  private boolean isUp() {
    return one.links.size() > one.downs.size();
  }

  @Test
  void resumesInTheMiddleOfAStreamManyTimes() throws Exception {
    open();
    SplittableRandom random = new SplittableRandom(11);
    try (Chopper chopper = new Chopper(two.port(), 5, 4000)) {
      TestNode.SendLane lane = one.openLane(0, 65536);
      int total = 60_000;
      Thread sender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < total; i++) {
                      lane.send(i % 200);
                    }
                  });
      while (delivered() < total) {
        if (!isUp()) {
          chopper.cutAfterBytesTo(random.nextInt(500, 600_000));
          tryDial(chopper);
        }
        Thread.sleep(1);
      }
      sender.join();
      two.awaitFrames(0, total);
      assertThat(one.downs.size()).as("cuts").isGreaterThan(5);
    }
  }

  @Test
  void aPausedReaderDelaysItsLaneOnly() throws Exception {
    open();
    TestNode.SendLane slow = one.openLane(0, 4096);
    TestNode.SendLane fast = one.openLane(1, 4096);
    one.dial(2, two.port());
    slow.send(10);
    two.awaitFrames(0, 1);
    two.receiving.get(0).paused = true;
    for (int i = 0; i < 20; i++) {
      slow.send(100);
    }
    for (int i = 0; i < 5000; i++) {
      fast.send(100);
    }
    two.awaitFrames(1, 5000);
    assertThat(two.receiving.get(0).frames).isEqualTo(1);
    two.receiving.get(0).paused = false;
    two.transport().progress().wake();
    two.awaitFrames(0, 21);
  }

  @Test
  void lanesMayBeOpenedAndFinishedAtAnyTime() throws Exception {
    open();
    TestNode.SendLane shared = one.openLane(0, 4096);
    one.dial(2, two.port());
    for (int id = 1; id <= 50; id++) {
      TestNode.SendLane lane = new TestNode.SendLane(id, one.transport().allocate(2, id, 8192));
      lane.outlet = one.links.peek().attach(id, lane.memory);
      for (int i = 0; i < 100; i++) {
        lane.send(i);
      }
      shared.send(8);
      while (lane.memory.consumed() < lane.writer.tail()) {
        lane.outlet.awaitConsumed(lane.memory.consumed(), 1_000_000);
      }
      lane.outlet.finish(lane.writer.tail());
      lane.memory.close();
      lane.outlet.published(); // a late one does no harm
    }
    two.awaitFrames(0, 50);
    long giveUp = System.nanoTime() + Await.LONG.toNanos();
    while (two.receiving.size() > 1 && System.nanoTime() < giveUp) {
      Thread.sleep(1);
    }
    assertThat(two.receiving).containsOnlyKeys(0);
    assertThat(two.broken).isEmpty();
    assertThat(one.downs).isEmpty();
  }

  @Test
  void aSingleMessageIsReportedConsumedWithoutMoreTraffic() throws Exception {
    open();
    TestNode.SendLane lane = one.openLane(0, 65536);
    one.dial(2, two.port());
    lane.send(10);
    long giveUp = System.nanoTime() + Await.LONG.toNanos();
    while (lane.memory.consumed() < lane.writer.tail()) {
      assertThat(System.nanoTime()).isLessThan(giveUp);
      Thread.sleep(1);
    }
  }

  @Test
  void closingALinkTellsBothSidesOnce() throws Exception {
    open();
    one.dial(2, two.port());
    one.links.take().close("enough");
    one.links.clear();
    assertThat(TestNode.poll(one.downs)).isEqualTo("enough");
    assertThat(TestNode.poll(two.downs)).contains("the far side took the link down: enough");
    Thread.sleep(50);
    assertThat(one.downs).isEmpty();
    assertThat(two.downs).isEmpty();
  }

  @Test
  void closingTheTransportEndsItsLinksAndFreesItsPort() throws Exception {
    two.set("listen", "127.0.0.1:" + Ports.free()); // nobody else takes it meanwhile
    open();
    one.dial(2, two.port());
    two.links.take();
    int port = two.port();
    two.transport().close();
    two.transport().close();
    assertThat(TestNode.poll(two.downs)).contains("closed");
    assertThat(TestNode.poll(one.downs)).contains("closed");
    TestNode again = new TestNode(2).set("listen", "127.0.0.1:" + port);
    again.open().close();
  }

  @Test
  void aNodeThatDoesNotWantTheLinkTellsTheDialler() throws Exception {
    open();
    two.refuse = true;
    assertThatThrownBy(() -> one.dial(2, two.port()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("not wanted");
    assertThat(one.links).isEmpty();
    assertThat(TestNode.poll(two.rejected)).contains("CLOSING");
  }

  @Test
  void anAddressNobodyListensOnIsNamed() throws Exception {
    two.set("listen", "127.0.0.1:" + Ports.free());
    open();
    int port = two.port();
    two.transport().close();
    assertThatThrownBy(() -> one.dial(2, port))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("node 2", "127.0.0.1:" + port, "refused");
  }

  @Test
  void listensAndDialsOverIpv6() throws Exception {
    one.set("listen", "[::1]:0");
    try {
      one.open();
    } catch (IOException e) {
      Assumptions.abort("this machine has no IPv6: " + e.getMessage());
    }
    two.open();
    TestNode.SendLane lane = two.openLane(0, 4096);
    assertThat(one.transport().address()).startsWith("[");
    two.transport().connect(1, one.transport().address(), Await.LONG);
    lane.send(5);
    one.awaitFrames(0, 1);
  }
}
