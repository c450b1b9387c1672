// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.testkit.Await;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.StillContext;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer that reads nothing from its socket, as if it were stopped: nobody waits for it. */
@Tag("timing")
class StoppedPeerTest {

  /** Far from both what it takes and for ever. */
  private static final Duration TOO_LONG = Duration.ofSeconds(60);

  /** More than the socket takes, and fewer than may wait. */
  private static final int SOME = 100;

  private final Queue<String> ends = new ConcurrentLinkedQueue<>();
  private SharedMemoryDirectory directory;
  private ShmTransport transport;
  private SocketChannel stopped; // the peer's end
  private ShmLink link;
  private LaneMemory memory;

  @BeforeEach
  void link() throws IOException {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    directory = SharedMemoryDirectory.create();
    transport =
        ShmTransport.open(new StillContext(1).set("shm.directory", directory.path().toString()));
    memory = transport.allocate(2, 0, 4096);
    Doorbell bell = Doorbell.create(directory.path().resolve("2.bell"));
    link = new ShmLink(transport, connect(), bell, "to a peer that is stopped");
    link.start(new Ends());
  }

  private SocketChannel connect() throws IOException {
    Path path = directory.path().resolve("2.sock");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
      socket.setOption(StandardSocketOptions.SO_SNDBUF, 1);
      socket.connect(server.getLocalAddress());
      stopped = server.accept();
      return socket;
    }
  }

  @AfterEach
  void close() throws IOException {
    if (directory != null) {
      stopped.close(); // whoever waits for it after all goes on
      transport.close();
      directory.close();
    }
  }

  private void openLanes(int count) {
    assertTimeoutPreemptively(
        TOO_LONG,
        () -> {
          for (int id = 0; id < count; id++) {
            link.attach(id, memory);
          }
        });
  }

  @Test
  void lanesAreOpenedAndClosedWithoutWaitingForIt() {
    openLanes(SOME);
    assertThat(ends).isEmpty();
    assertTimeoutPreemptively(TOO_LONG, () -> link.attach(SOME, memory).finish(0));
    assertThat(ends).isEmpty();
  }

  @Test
  void linkOnWhichTooMuchIsUnsaidEnds() {
    openLanes(2 * transport.maxUnsaid());
    Await.until("the end of the link", () -> !ends.isEmpty());
    assertThat(ends).singleElement().asString().startsWith("the peer reads nothing");
  }

  @Test
  void nodeClosesAllTheSame() {
    openLanes(SOME);
    assertTimeoutPreemptively(TOO_LONG, () -> transport.close());
    assertThat(ends).containsExactly("node 1 is closed");
  }

  /** Writes down why the link went down. */
  private final class Ends implements LinkEvents {
    @Override
    public InboundLane inbound(int laneId, long capacity, MemorySource source) throws IOException {
      throw new IOException("the peer opens no lane");
    }

    @Override
    public void finished(int laneId, long finalPosition) {}

    @Override
    public void broken(String why) {}

    @Override
    public void down(String why) {
      ends.add(why);
    }
  }
}
