// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.testkit.Await;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.StillContext;
import io.verbena.transport.Agreement;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links that a node does not want: dials that crossed, a node that closes, a peer that talks
 * nonsense.
 */
@Tag("timing")
class RefusedLinksTest {

  private static final int DIALS = 20;

  /** More than may wait to be read, and fewer than may wait to be written. */
  private static final int FLOOD = 2_000;

  private final Queue<Link> established = new ConcurrentLinkedQueue<>();
  private final Queue<String> ends = new ConcurrentLinkedQueue<>();
  private final Semaphore handler = new Semaphore(1);
  private SharedMemoryDirectory directory;
  private volatile int closingOnLink;

  @BeforeEach
  void makeDirectory() {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    directory = SharedMemoryDirectory.create();
  }

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void leaveNothingMapped(int refusing) throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, refusing == 1));
        ShmTransport accepting = ShmTransport.open(context(2, refusing == 2))) {
      assertThat(accepting.name()).isEqualTo("shm");
      for (int i = 0; i < DIALS; i++) {
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> dialling.connect(2, "", Await.LONG));
      }
      Await.until("both doorbells to be mapped by their owners alone", () -> mappedBells() == 2);
    }
  }

  @Test
  void aLaneIsAnnouncedOnce() throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      assertThat(accepting.name()).isEqualTo("shm");
      Link link = linkOf(dialling);
      LaneMemory memory = dialling.allocate(2, 3, 4096);
      link.attach(3, memory);
      assertThat(Await.holdsWithin(Duration.ofMillis(50), () -> !ends.isEmpty())).isFalse();
      link.attach(3, memory);
      Await.until("the end of the link", () -> ends.size() == 2);
      assertThat(ends).contains("lane 3 cannot be opened: it is open already");
      memory.close();
    }
  }

  @Test
  void reasonThePeerGaveIsToldThoughItsLaneIsGoneFirst() throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      assertThat(accepting.name()).isEqualTo("shm");
      Link link = linkOf(dialling);
      LaneMemory first = dialling.allocate(2, 3, 4096);
      LaneMemory second = dialling.allocate(2, 4, 4096);
      handler.acquireUninterruptibly();
      link.attach(3, first); // the far side waits for the handler, and reads the rest late
      link.attach(4, second);
      link.close("it has had enough");
      second.close();
      handler.release();
      Await.until("the end of both", () -> ends.size() == 2);
      assertThat(ends)
          .containsExactlyInAnyOrder(
              "it has had enough", "the peer closed the link: it has had enough");
      first.close();
    }
  }

  @Test
  void reasonThePeerGaveIsToldThoughAWriteFailsFirst() throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      Link link = linkOf(dialling);
      Link farEnd = endOf(accepting);
      LaneMemory memory = dialling.allocate(2, 3, 4096);
      LaneMemory farMemory = accepting.allocate(1, 5, 4096);
      handler.acquireUninterruptibly();
      link.attach(3, memory); // the far side waits for the handler, and reads the rest late
      link.close("it has had enough");
      farEnd.attach(5, farMemory); // cannot be said any more
      handler.release();
      Await.until("the end of both", () -> ends.size() == 2);
      assertThat(ends)
          .containsExactlyInAnyOrder(
              "it has had enough", "the peer closed the link: it has had enough");
      memory.close();
      farMemory.close();
    }
  }

  @Test
  void whoCannotOpenALaneTellsThePeerWhy() throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      assertThat(accepting.name()).isEqualTo("shm");
      Link link = linkOf(dialling);
      LaneMemory first = dialling.allocate(2, 3, 4096);
      LaneMemory second = dialling.allocate(2, 4, 4096);
      handler.acquireUninterruptibly();
      link.attach(3, first);
      link.attach(4, second);
      second.close();
      handler.release();
      Await.until("the end of both", () -> ends.size() == 2);
      assertThat(ends)
          .anyMatch(end -> end.startsWith("lane 4 cannot be opened: "))
          .anyMatch(end -> end.startsWith("the peer closed the link: lane 4 cannot be opened: "));
      first.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void linkMadeWhileItsNodeClosesIsToldItsEnd(int closing) throws IOException {
    closingOnLink = closing;
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      assertThat(accepting.name()).isEqualTo("shm");
      try {
        dialling.connect(2, "", Await.LONG);
      } catch (IOException e) {
        assertThat(e)
            .hasMessageContaining("2.bell is not there"); // closed in the handshake's midst
      }
      Await.until(
          Await.LONG,
          () -> "the end of " + established.size() + " links; there are " + ends,
          () -> !established.isEmpty() && ends.size() == established.size());
      Await.until("the open node alone to map its doorbell", () -> mappedBells() == 1);
    }
  }

  @Test
  void peerThatFloodsTheSocketLosesTheLink() throws IOException {
    try (ShmTransport dialling = ShmTransport.open(context(1, false));
        ShmTransport accepting = ShmTransport.open(context(2, false))) {
      assertThat(accepting.name()).isEqualTo("shm");
      Link link = linkOf(dialling);
      LaneMemory memory = dialling.allocate(2, 3, 4096);
      handler.acquireUninterruptibly();
      Outlet outlet = link.attach(3, memory); // the far side waits for the handler
      for (int i = 0; i < FLOOD; i++) {
        outlet.finish(0);
      }
      Await.until("the end of the link that floods", () -> !ends.isEmpty());
      handler.release();
      Await.until("the end of the flooded link", () -> ends.size() == 2);
      assertThat(ends).contains("more than 192 control messages wait to be read");
      memory.close();
    }
  }

  /** The dialling end of a link to node 2, once the other end is there, too. */
  private Link linkOf(ShmTransport dialling) throws IOException {
    dialling.connect(2, "", Await.LONG);
    Await.until("both ends", () -> established.size() == 2);
    return endOf(dialling);
  }

  private Link endOf(ShmTransport transport) {
    return established.stream().filter(end -> end.transport() == transport).findAny().orElseThrow();
  }

  private long mappedBells() {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.contains(directory.path() + "/")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A node that refuses links, or does nothing with them but close on the first. */
  private StillContext context(int id, boolean refuses) {
    return new StillContext(id) {
      @Override
      public LinkEvents established(Agreement agreement, Link link, String reason)
          throws RefusedException {
        return refuses ? super.established(agreement, link, reason) : taken(id, link);
      }
    }.set("shm.directory", directory.path().toString());
  }

  private LinkEvents taken(int id, Link link) {
    if (id == closingOnLink) {
      link.transport().close();
    }
    established.add(link);
    return new LinkEvents() {
      @Override
      public InboundLane inbound(int laneId, long capacity, MemorySource memory)
          throws IOException {
        handler.acquireUninterruptibly(); // a receiving thread that is busy
        handler.release();
        return new SilentLane(laneId, memory.get());
      }

      @Override
      public void finished(int laneId, long finalPosition) {}

      @Override
      public void broken(String reason) {}

      @Override
      public void down(String reason) {
        ends.add(reason);
      }
    };
  }

  /** On which nothing arrives. */
  private record SilentLane(int id, LaneMemory memory) implements InboundLane {
    @Override
    public long received() {
      return Long.MAX_VALUE;
    }

    @Override
    public void received(long position) {}

    @Override
    public int drain() {
      return 0;
    }
  }
}
