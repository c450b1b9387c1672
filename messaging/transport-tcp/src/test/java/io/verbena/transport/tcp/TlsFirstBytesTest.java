// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
      sender.onceAttached = wire::gather;
      dialler.dial(2, wire.port());
      dialler.awaitFrames(0, 10);
    }
  }

  /**
   * Hands on what a target sends, its last message of the handshake only together with the first
   * segment after it.
   */
  private static final class Gatherer implements AutoCloseable {

    private static final int RECORD_HEADER_BYTES = 5;

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final int target;
    private volatile boolean gathers;

    Gatherer(int target) throws IOException {
      this.target = target;
      Thread.ofVirtual().start(this::run);
    }

    /** The target has accepted a link, and says so next. */
    void gather() {
      gathers = true;
    }

    int port() {
      return server.getLocalPort();
    }

    private void run() {
      try (Socket from = server.accept();
          Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
        Thread.ofVirtual().start(() -> copy(from, to));
        DataInputStream in = new DataInputStream(to.getInputStream());
        ByteArrayOutputStream gathered = new ByteArrayOutputStream();
        while (true) {
          byte[] record = readRecord(in);
          gathered.write(record);
          if (gathers) { // this is the last message of the handshake
            gathers = false;
          } else {
            from.getOutputStream().write(gathered.toByteArray());
            gathered.reset();
          }
        }
      } catch (IOException e) {
        // The wire is cut.
      }
    }

    private static byte[] readRecord(DataInputStream in) throws IOException {
      byte[] header = in.readNBytes(RECORD_HEADER_BYTES);
      if (header.length < RECORD_HEADER_BYTES) {
        throw new EOFException();
      }
      int length = ByteBuffer.wrap(header).getShort(3) & 0xFFFF;
      byte[] record = Arrays.copyOf(header, RECORD_HEADER_BYTES + length);
      in.readFully(record, RECORD_HEADER_BYTES, length);
      return record;
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
