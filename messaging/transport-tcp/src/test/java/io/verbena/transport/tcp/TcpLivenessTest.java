// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.replica.Segment;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peers that fall silent, with short times. */
@Tag("timing")
class TcpLivenessTest {

  private final TestNode node =
      new TestNode(1).set("tcp.heartbeat", "50ms").set("tcp.dead.after", "400ms");

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void aSilentPeerIsAskedAndThenGivenUp() throws Exception {
    node.open();
    try (RawPeer peer = new RawPeer(new TestNode(2), 1, node.port())) {
      assertThat(peer.receive().kind()).isEqualTo(Segment.PING);
      assertThat(peer.receive().kind()).isEqualTo(Segment.PING);
      assertThat(TestNode.poll(node.downs)).contains("tcp.dead.after is 400 ms");
      assertThat(node.broken).isEmpty();
    }
  }

  /** So that a thread of the peer may have to wait for a processor. */
  private TestNode patient() {
    return node.set("tcp.heartbeat", "250ms").set("tcp.dead.after", "4s");
  }

  @Test
  void aPeerThatAnswersLives() throws Exception {
    patient().open();
    try (RawPeer peer = new RawPeer(new TestNode(2), 1, node.port())) {
      for (int i = 0; i < 20; i++) { // five seconds, more than tcp.dead.after
        peer.receive(Segment.PING);
        peer.send(0, Segment.PONG, 0, 0);
      }
      assertThat(node.downs).isEmpty();
    }
  }

  @Test
  void idleLinksBetweenTwoTransportsLive() throws Exception {
    patient().open();
    try (TestNode other =
        new TestNode(2).set("tcp.heartbeat", "250ms").set("tcp.dead.after", "4s").open()) {
      other.dial(1, node.port());
      Thread.sleep(5000); // the one thing to wait for here is the time: more than tcp.dead.after
      assertThat(node.downs).isEmpty();
      assertThat(other.downs).isEmpty();
    }
  }

  @Test
  void aPeerThatDoesNotReadStopsNobodyElse() throws Exception {
    patient().set("tcp.socket.buffer.bytes", "16K").open();
    TestNode.SendLane stuck = node.openLane(0, 1 << 20);
    try (RawPeer deaf = new RawPeer(new TestNode(2), 1, node.port())) {
      deaf.receive(Segment.OPEN_LANE);
      deaf.send(0, Segment.RESUME, 0, 0);
      for (int i = 0; i < 90; i++) {
        stuck.send(10_000); // all of it more than its socket takes
      }
      try (RawPeer other = new RawPeer(new TestNode(3), 1, node.port())) {
        for (int i = 0; i < 10; i++) {
          other.send(0, Segment.PING, 0, 0);
          other.receive(Segment.PONG);
        }
      }
      assertThat(List.of(TestNode.poll(node.downs), TestNode.poll(node.downs)))
          .anyMatch(why -> !why.contains("tcp.dead.after")) // the other's end
          .anyMatch(why -> why.contains("tcp.dead.after"));
    }
  }

  @Test
  void handshakesThatHangAreBoundedInNumberAndTime() throws Exception {
    node.set("tcp.handshakes.max", "3").set("tcp.handshake.timeout", "3s").open();
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        silent.add(new Socket("127.0.0.1", node.port()));
      }
      assertThat(TestNode.poll(node.rejected)).contains("tcp.handshakes.max is 3");
      for (int i = 0; i < 3; i++) {
        assertThat(TestNode.poll(node.rejected)).contains("did not finish the handshake");
      }
      try (RawPeer peer = new RawPeer(new TestNode(2), 1, node.port())) {
        peer.send(0, Segment.PING, 0, 0);
        peer.receive(Segment.PONG);
      }
    } finally {
      for (Socket socket : silent) {
        closeQuietly(socket);
      }
    }
  }

  @Test
  void othersAreAdmittedAfterOneForWhomThereWasNoHeap() throws Exception {
    node.set("tcp.handshakes.max", "1").open();
    node.onRejected =
        () -> {
          throw new OutOfMemoryError("on purpose");
        };
    try (Socket silent = new Socket("127.0.0.1", node.port())) {
      try (Socket refused = new Socket("127.0.0.1", node.port())) {
        assertThat(TestNode.poll(node.rejected)).contains("tcp.handshakes.max is 1");
        assertThat(refused.getInputStream().read()).isEqualTo(-1);
      }
      node.onRejected = () -> {};
      silent.close();
      assertThat(TestNode.poll(node.rejected)).isNotNull(); // the silent one's end
      try (RawPeer peer = new RawPeer(new TestNode(2), 1, node.port())) {
        peer.send(0, Segment.PING, 0, 0);
        peer.receive(Segment.PONG);
      }
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was closed by the node.
    }
  }
}
