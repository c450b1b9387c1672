// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What arrives together with the end of the handshake, where no selector can tell of it. */
@Tag("timing")
class TlsFirstBytesTest {

  /** More than a loop reads in turn without a selection. */
  private static final int LINKS = 8;

  private static final TestAuthority AUTHORITY = new TestAuthority("first");

  @TempDir private Path folder;
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
  }

  private TestNode open(int id) throws IOException {
    NodeFiles files = AUTHORITY.writeFor(folder.resolve("node" + id), "still", id);
    TestNode node = new TestNode(id);
    nodes.add(node);
    return node.set("tls.certificate", files.certificate().toString())
        .set("tls.key", files.key().toString())
        .set("tls.ca", files.trusted().toString())
        .set("tcp.heartbeat", "5m") // no sign of life helps
        .set("tcp.dead.after", "30m")
        .open();
  }

  @Test
  void whatCameWithTheHandshakeIsReadThoughNothingFollows() throws Exception {
    TestNode dialler = open(1);
    for (int id = 10; id < 10 + LINKS; id++) {
      dialler.dial(id, open(id).port());
    }
    TestNode sender = open(2);
    TestNode.SendLane lane = sender.openLane(0, 4096);
    for (int i = 0; i < 10; i++) {
      lane.send(i);
    }
    try (Gatherer wire = new Gatherer(sender.port())) {
      dialler.dial(2, wire.port());
      dialler.awaitFrames(0, 10);
    }
  }

  /** Hands on what a target sends after a while, all that came until then at once. */
  private static final class Gatherer implements AutoCloseable {

    private static final int GATHER_MS = 200;

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int target;

    Gatherer(int target) throws IOException {
      this.target = target;
      Thread.ofVirtual().start(this::run);
    }

    int port() {
      return server.getLocalPort();
    }

    private void run() {
      try (Socket from = server.accept();
          Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
        Thread.ofVirtual().start(() -> copy(from, to));
        InputStream in = to.getInputStream();
        byte[] bytes = new byte[1 << 20];
        for (int first = in.read(bytes, 0, 1); first > 0; first = in.read(bytes, 0, 1)) {
          Thread.sleep(GATHER_MS);
          int more = in.read(bytes, 1, Math.min(in.available(), bytes.length - 1));
          from.getOutputStream().write(bytes, 0, 1 + Math.max(0, more));
        }
      } catch (IOException | InterruptedException e) {
        // The wire is cut.
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) {
        // The wire is cut.
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
