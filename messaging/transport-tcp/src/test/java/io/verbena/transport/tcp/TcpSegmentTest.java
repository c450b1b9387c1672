// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.internal.lane.Frame;
import io.verbena.testkit.Await;
import io.verbena.transport.Link;
import io.verbena.transport.replica.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Segments as docs/protocol.md describes them, and what is not among them. */
@Tag("timing")
class TcpSegmentTest {

  private static final HexFormat HEX = HexFormat.of();

  /** Sends no PING of its own, however slow the machine is. */
  private final TestNode node =
      new TestNode(1).set("tcp.heartbeat", "1m").set("tcp.dead.after", "10m");

  private RawPeer peer;
  private Link link; // once a lane is attached

  @BeforeEach
  void connect() throws IOException {
    node.open();
    peer = new RawPeer(new TestNode(2), 1, node.port());
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    node.close();
  }

  private static byte[] frame(int bodyBytes, long number) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Frame.align(16 + bodyBytes)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(Frame.header(16 + bodyBytes, 1, Frame.MESSAGE, 0)).putLong(number);
    for (int i = 0; i < bodyBytes; i++) {
      bytes.put((byte) (number + i));
    }
    return bytes.array();
  }

  private void openLane() throws IOException {
    peer.send(0, Segment.OPEN_LANE, 0, 4096);
    RawPeer.Received answer = peer.receive(Segment.RESUME);
    assertThat(answer.lane()).isZero();
    assertThat(answer.value()).isZero();
  }

  private TestNode.SendLane attachedLane(int id) throws Exception {
    TestNode.SendLane lane = node.openLane(id, 4096);
    link = node.links.take();
    lane.outlet = link.attach(id, lane.memory);
    assertThat(peer.receive(Segment.OPEN_LANE).value()).isEqualTo(4096);
    return lane;
  }

  /** A reset would void the BYE where that is still under way. */
  @Test
  void whatAPeerSendsBehindTheByeDoesNotResetTheConnection() throws Exception {
    link = node.links.take();
    peer.send(0, Segment.PING, 0, 0);
    link.close("enough");
    byte[] words = peer.receive(Segment.BYE).payload();
    assertThat(new String(words, UTF_8)).isEqualTo("enough");
    for (int i = 0; i < 100; i++) {
      peer.send(0, Segment.PING, 0, 0);
      Thread.sleep(1);
    }
    assertThatThrownBy(() -> peer.receive()).as("the end").isInstanceOf(EOFException.class);
  }

  /** What was put together until then is not sent: it may end in the middle of a segment. */
  @Test
  void memoryThatWasFreedWhileItsBytesAreGatheredEndsTheLinkWithWordsAndSendsNoHalfSegment()
      throws Exception {
    TestNode.SendLane whole = attachedLane(0);
    peer.send(0, Segment.RESUME, 0, 0);
    TestNode.SendLane freed = node.openLane(1, 4096);
    freed.outlet = link.attach(1, freed.memory);
    assertThat(peer.receive(Segment.OPEN_LANE).lane()).isEqualTo(1);
    peer.send(0, Segment.RESUME, 1, 0);
    peer.send(0, Segment.PING, 0, 0).receive(Segment.PONG); // it has heard from where to go on
    whole.outlet = null;
    whole.send(0); // lies there and is not announced
    freed.memory.close();
    whole.outlet = link.attach(2, node.openLane(2, 4096).memory); // has the link write
    RawPeer.Received last = peer.receive(Segment.BYE);
    assertThat(new String(last.payload(), UTF_8)).contains("memory was freed");
    assertThat(TestNode.poll(node.downs)).contains("memory was freed");
  }

  private void assertBroken(String words) throws Exception {
    assertThat(TestNode.poll(node.broken)).contains(words);
    assertThat(TestNode.poll(node.downs)).contains("protocol error").contains(words);
    RawPeer.Received last = peer.receive(Segment.BYE);
    assertThat(new String(last.payload(), UTF_8)).contains(words);
  }

  /** A sender may hear first that the link is gone, while its loop is about to hear why. */
  @Test
  void theReasonOfTheFarSideIsToldThoughSomebodyElseNoticesTheEndMeanwhile() throws Exception {
    TcpLink link = (TcpLink) node.links.take();
    node.onLane = () -> link.fail("cannot write: Connection reset by peer");
    byte[] reason = "lanes.max of node 2 is 2".getBytes(UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(2 * Segment.HEADER_BYTES + reason.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    Segment.put(bytes, 0, Segment.OPEN_LANE, 0, 4096);
    Segment.put(bytes, reason.length, Segment.BYE, 0, 0);
    peer.sendBytes(bytes.put(reason).array());
    assertThat(TestNode.poll(node.downs)).contains("lanes.max of node 2 is 2");
  }

  // ---------------------------------------------------------------- what is right

  @Test
  void theBytesOfAHeaderNeverChange() {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    Segment.put(bytes, 0x01020304, Segment.DATA, 0xA0B0, 0x1122334455667788L);
    assertThat(HEX.formatHex(bytes.array()))
        .isEqualTo("04030201" + "03" + "00" + "b0a0" + "8877665544332211");
  }

  @Test
  void theKindsNumbersNeverChange() {
    assertThat(
            new int[] {
              Segment.OPEN_LANE,
              Segment.RESUME,
              Segment.DATA,
              Segment.CONSUMED,
              Segment.FINISH,
              Segment.PING,
              Segment.PONG,
              Segment.BYE
            })
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void theBytesOfALinkNeverChange() throws Exception {
    TestNode.SendLane lane = node.openLane(0, 4096);
    lane.outlet = node.links.take().attach(0, lane.memory);
    assertThat(HEX.formatHex(peer.receiveBytes(16)))
        .isEqualTo("00000000" + "01" + "00" + "0000" + "0010000000000000");
    peer.sendBytes(HEX.parseHex("00000000" + "02" + "00" + "0000" + "0000000000000000"));
    lane.send(42, 0);
    assertThat(HEX.formatHex(peer.receiveBytes(32)))
        .isEqualTo(
            "10000000"
                + "03"
                + "00"
                + "0000"
                + "0000000000000000"
                + "10000000"
                + "0100"
                + "02"
                + "00"
                + "2a00000000000000");
    peer.sendBytes(HEX.parseHex("00000000" + "04" + "00" + "0000" + "1000000000000000"));
    Await.until("all is consumed", () -> lane.memory.consumed() == 16);
    lane.outlet.finish(16);
    assertThat(HEX.formatHex(peer.receiveBytes(16)))
        .isEqualTo("00000000" + "05" + "00" + "0000" + "1000000000000000");
  }

  @Test
  void dataIsHandedOnAndReportedConsumed() throws Exception {
    openLane();
    byte[] frame = frame(20, 0);
    peer.send(frame.length, Segment.DATA, 0, 0, frame);
    node.awaitFrames(0, 1);
    assertThat(peer.receive(Segment.CONSUMED).value()).isEqualTo(frame.length);
  }

  @Test
  void segmentsMayComeByteByByte() throws Exception {
    openLane();
    byte[] frame = frame(100, 0);
    ByteBuffer all = ByteBuffer.allocate(16 + frame.length).order(ByteOrder.LITTLE_ENDIAN);
    Segment.put(all, frame.length, Segment.DATA, 0, 0);
    for (byte one : all.put(frame).array()) {
      peer.sendBytes(one);
    }
    node.awaitFrames(0, 1);
  }

  @Test
  void pingIsAnswered() throws Exception {
    peer.send(0, Segment.PING, 0, 0);
    assertThat(peer.receive().kind()).isEqualTo(Segment.PONG);
  }

  @Test
  void sendsFromWhereTheFarSideSays() throws Exception {
    TestNode.SendLane lane = attachedLane(0);
    lane.send(0);
    lane.send(0);
    lane.send(0);
    peer.send(0, Segment.RESUME, 0, 16);
    RawPeer.Received data = peer.receive(Segment.DATA);
    assertThat(data.value()).isEqualTo(16);
    assertThat(data.payload()).hasSize(32);
  }

  /** What was received may end within a frame, and the lane's hint may lie before it. */
  @Test
  void sendsOnFromTheMiddleOfAFrame() throws Exception {
    TestNode.SendLane lane = attachedLane(0);
    lane.send(40);
    lane.send(40);
    peer.send(0, Segment.RESUME, 0, 24);
    RawPeer.Received data = peer.receive(Segment.DATA);
    assertThat(data.value()).isEqualTo(24);
    assertThat(data.payload()).hasSize(2 * 56 - 24);
  }

  @Test
  void aByeIsToldWithItsReason() throws Exception {
    peer.send(5, Segment.BYE, 0, 0, new byte[] {'l', 'a', 't', 'e', '\n'});
    assertThat(TestNode.poll(node.downs)).isEqualTo("the far side took the link down: late?");
    assertThat(node.broken).isEmpty();
  }

  @Test
  void aByeIsToldThoughAWriteFailsFirst() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    node.onFrame = () -> writeUntilThatFails(closed);
    openLane();
    peer.send(56, Segment.DATA, 0, 0, frame(40, 0)); // holds the loop until what follows is there
    peer.send(4, Segment.BYE, 0, 0, new byte[] {'l', 'a', 't', 'e'});
    peer.close();
    closed.countDown();
    assertThat(TestNode.poll(node.downs)).isEqualTo("the far side took the link down: late");
  }

  private void writeUntilThatFails(CountDownLatch closed) {
    try {
      closed.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    TcpLink link = (TcpLink) node.links.element();
    while (!link.isClosing()) {
      link.writer().ping();
    }
  }

  @Test
  void whyALaneIsNotTakenIsSaid() throws Exception {
    node.takesNoLane = "no memory for it";
    peer.send(0, Segment.OPEN_LANE, 0, 4096);
    assertThat(TestNode.poll(node.downs)).isEqualTo("no memory for it");
    assertThat(new String(peer.receive(Segment.BYE).payload(), UTF_8))
        .isEqualTo("no memory for it");
  }

  @Test
  void aClosedConnectionIsNoProtocolError() throws Exception {
    peer.close();
    assertThat(TestNode.poll(node.downs)).contains("closed the connection");
    assertThat(node.broken).isEmpty();
  }

  // ---------------------------------------------------------------- what is wrong

  @Test
  void unknownKind() throws Exception {
    peer.send(0, 99, 0, 0);
    assertBroken("unknown kind 99");
  }

  @Test
  void reservedByteNotZero() throws Exception {
    peer.sendBytes(new byte[] {0, 0, 0, 0, Segment.PING, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    assertBroken("reserved byte");
  }

  @Test
  void payloadWhereNoneBelongs() throws Exception {
    peer.send(8, Segment.PING, 0, 0, new byte[8]);
    assertBroken("PING with a payload of 8 bytes");
  }

  @Test
  void dataOfALaneThatIsNotOpen() throws Exception {
    peer.send(8, Segment.DATA, 3, 0, new byte[8]);
    assertBroken("DATA of lane 3, which is not open");
  }

  @Test
  void dataWithAGap() throws Exception {
    openLane();
    peer.send(8, Segment.DATA, 0, 8, new byte[8]);
    assertBroken("the next position is 0");
  }

  @Test
  void dataOfAnOddLength() throws Exception {
    openLane();
    peer.send(7, Segment.DATA, 0, 0, new byte[7]);
    assertBroken("must be a multiple of 8");
  }

  @Test
  void dataWithoutBytes() throws Exception {
    openLane();
    peer.send(0, Segment.DATA, 0, 0);
    assertBroken("must be a multiple of 8, not 0");
  }

  @Test
  void dataOfANegativeLength() throws Exception {
    openLane();
    peer.send(-8, Segment.DATA, 0, 0);
    assertBroken("must be a multiple of 8");
  }

  @Test
  void dataAcrossTheRingsEnd() throws Exception {
    openLane();
    peer.send(4104, Segment.DATA, 0, 0);
    assertBroken("crosses the ring's end");
  }

  @Test
  void dataBeyondWhatWasConsumed() throws Exception {
    openLane();
    node.receiving.get(0).paused = true;
    byte[] frame = frame(4080 - 16, 0);
    peer.send(frame.length, Segment.DATA, 0, 0, frame);
    peer.send(16, Segment.DATA, 0, 4080, frame(0, 1));
    peer.send(8, Segment.DATA, 0, 4096, new byte[8]);
    assertBroken("there is room up to 4096");
  }

  @Test
  void laneOpenedTwice() throws Exception {
    openLane();
    peer.send(0, Segment.OPEN_LANE, 0, 4096);
    assertBroken("OPEN_LANE of lane 0, which is open");
  }

  @Test
  void laneOfAWrongSize() throws Exception {
    peer.send(0, Segment.OPEN_LANE, 0, 5000);
    assertBroken("with 5000 bytes; a power of two");
  }

  @Test
  void laneBeyondTheLimit() throws Exception {
    peer.send(0, Segment.OPEN_LANE, 0, 1L << 40);
    assertBroken("tcp.lane.max.bytes");
  }

  /** They may have crossed with the lane's FINISH. */
  @Test
  void whatIsSaidOfALaneThatIsGoneIsPassedOver() throws Exception {
    peer.send(0, Segment.RESUME, 9, 0).send(0, Segment.CONSUMED, 9, 8);
    peer.send(0, Segment.PING, 0, 0);
    assertThat(peer.receive().kind()).isEqualTo(Segment.PONG);
    assertThat(node.broken).isEmpty();
  }

  @Test
  void resumeBeyondWhatIsPublished() throws Exception {
    TestNode.SendLane lane = attachedLane(0);
    lane.send(0);
    peer.send(0, Segment.RESUME, 0, 24);
    assertBroken("RESUME of lane 0 at 24; 0 to 16 is possible");
  }

  @Test
  void resumeTwice() throws Exception {
    attachedLane(0);
    peer.send(0, Segment.RESUME, 0, 0).send(0, Segment.RESUME, 0, 0);
    assertBroken("is possible, once");
  }

  @Test
  void consumedBeyondWhatWasSent() throws Exception {
    TestNode.SendLane lane = attachedLane(0);
    peer.send(0, Segment.RESUME, 0, 0);
    lane.send(0);
    peer.receive(Segment.DATA);
    peer.send(0, Segment.CONSUMED, 0, 24);
    assertBroken("CONSUMED of lane 0 at 24; 0 to 16 is possible");
  }

  @Test
  void consumedBackwards() throws Exception {
    TestNode.SendLane lane = attachedLane(0);
    peer.send(0, Segment.RESUME, 0, 0);
    lane.send(0);
    peer.receive(Segment.DATA);
    peer.send(0, Segment.CONSUMED, 0, 16).send(0, Segment.CONSUMED, 0, 8);
    assertBroken("CONSUMED of lane 0 at 8; 16 to 16 is possible");
  }

  @Test
  void finishWhereTheLaneDoesNotEnd() throws Exception {
    openLane();
    byte[] frame = frame(0, 0);
    peer.send(frame.length, Segment.DATA, 0, 0, frame).send(0, Segment.FINISH, 0, 64);
    assertBroken("FINISH of lane 0 at 64; received 16, consumed 16");
  }

  @Test
  void aByeThatIsTooLong() throws Exception {
    peer.send(2000, Segment.BYE, 0, 0);
    assertBroken("BYE with a text of 2000 bytes");
  }

  /** Whatever comes, the link goes down with a reason and the loop serves the next one. */
  @Test
  void changedSegmentsNeverStopTheLoop() throws Exception {
    int count = Integer.getInteger("verbena.fuzz.links", 300);
    long seed = Long.getLong("verbena.seed", 26);
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      try (RawPeer liar = new RawPeer(new TestNode(2), 1, node.port())) {
        liar.send(0, Segment.OPEN_LANE, random.nextInt(3), 4096);
        byte[] bytes = new byte[random.nextInt(16, 400)];
        random.nextBytes(bytes);
        bytes[4] = (byte) random.nextInt(10);
        bytes[5] = 0;
        liar.sendBytes(bytes);
      } catch (IOException e) {
        // It was told in its turn.
      }
      assertThat(TestNode.poll(node.downs)).as("seed " + (seed + i)).isNotNull();
      node.receiving.values().forEach(lane -> lane.reader.memory().close());
      node.receiving.clear();
    }
    peer.send(0, Segment.PING, 0, 0);
    assertThat(peer.receive().kind()).isEqualTo(Segment.PONG);
  }

  @Test
  void anotherProgramsBytesEndTheHandshakeOnly() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", node.port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketException e) {
      // The node did not read all of it before it closed: that resets the connection.
    }
    assertThat(TestNode.poll(node.rejected)).contains("does not speak Verbena");
    peer.send(0, Segment.PING, 0, 0);
    assertThat(peer.receive().kind()).isEqualTo(Segment.PONG);
  }

  @Test
  void theFarSideMayEndAtAnyMoment() throws Exception {
    openLane();
    byte[] frame = frame(20, 0);
    peer.send(frame.length, Segment.DATA, 0, 0, Arrays.copyOf(frame, 13));
    peer.close();
    assertThat(TestNode.poll(node.downs)).contains("closed the connection");
    assertThat(node.receiving.get(0).reader.received()).isEqualTo(8);
    try (RawPeer again = new RawPeer(new TestNode(2), 1, node.port())) {
      again.send(0, Segment.OPEN_LANE, 0, 4096);
      assertThat(again.receive(Segment.RESUME).value()).isEqualTo(8);
    }
  }
}
