// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.Node;
import io.verbena.testkit.Await;
import io.verbena.testkit.OpenFiles;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads;
import io.verbena.testkit.Threads.Crew;
import io.verbena.transport.handshake.Handshake;
import io.verbena.transport.handshake.Handshake.Offer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node under a rain of spoiled handshakes, segments and frames keeps serving a healthy peer,
 * counts why it closed what it closed, and leaks nothing. {@code -Dverbena.fuzz=1000000} for the
 * long run, {@code -Dverbena.seed=N} for the same again.
 */
@Tag("timing")
@Timeout(value = 3, unit = TimeUnit.HOURS)
class HostileBytesOnTheWireTest {

  private static final int MUTATIONS = Integer.getInteger("verbena.fuzz", 20_000);
  private static final int REQUESTS = 100; // that are answered under the rain, at the least
  private static final int HEALTHY = 2;
  private static final int STRANGER = 3;
  private static final int HELLO_FROM = 12; // where HELLO, the first message, has its sender's id
  private static final long HEAP_BOUND_BYTES = 64L << 20;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Mutation mutation = new Mutation(random.split());
  private final Queue<String> failuresOfTheLoop = new ConcurrentLinkedQueue<>();
  private final Logger log = Logger.getLogger("io.verbena"); // kept: else it forgets its handler
  private int done;

  @BeforeEach
  void collectErrors() {
    log.addHandler(
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord entry) {
            if (entry.getLevel() == Level.SEVERE) {
              failuresOfTheLoop.add(entry.getMessage() + ": " + entry.getThrown());
            }
          }
        });
  }

  @Test
  void nodeServesOnUnderSpoiledHandshakesSegmentsAndFrames() throws Exception {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of("tcp", STRANGER, directory.path().toString());
      InetSocketAddress target =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), topology.ports().getFirst());
      try (Node victim = Node.build(topology.config(1).set("tcp.handshake.timeout", "1s").build());
          Node healthy = Node.open(topology.config(HEALTHY).build())) {
        listen(victim);
        victim.start();
        rain(target, MUTATIONS / 20); // what is loaded once and kept
        Traces before = Traces.now(victim);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        Crew crew = new Crew().start(() -> serve(healthy, stop, served));
        rain(target, MUTATIONS);
        rainUntilServed(target, served);
        stop.set(true);
        crew.join();
        assertReasonsAreCounted(victim.metrics().snapshot());
        before.assertSameAsNow(victim);
        assertEquals(List.of(), List.copyOf(failuresOfTheLoop), "the receiving loop has failed");
      }
    } catch (Exception | AssertionError e) {
      System.err.println("after " + done + " mutations; again with -Dverbena.seed=" + seed);
      System.err.println(Threads.dump());
      throw e;
    }
  }

  private static void listen(Node victim) {
    victim.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    victim.handle(Numbered.class, (message, from) -> {});
    victim.handle(Blob.class, (blob, from) -> {});
  }

  private static Void serve(Node healthy, AtomicBoolean stop, AtomicInteger served)
      throws InterruptedException {
    while (!stop.get()) {
      int number = served.getAndIncrement();
      Duration limit = Await.LONG;
      assertEquals(number, healthy.request(1, new Ask(number), Answer.class, limit).number());
      Await.idle(Duration.ofMillis(1));
    }
    return null;
  }

  private void rain(InetSocketAddress target, int mutations) throws IOException {
    byte[] handshake = recordHandshake(target);
    int until = done + mutations;
    while (done < until) {
      if (random.nextInt(3) > 0) {
        spoilHandshake(target, handshake);
      } else {
        spoilLink(target);
      }
    }
  }

  /** The rain may be over before the healthy node's threads have had much of a processor. */
  private void rainUntilServed(InetSocketAddress target, AtomicInteger served) throws IOException {
    long deadline = System.nanoTime() + Await.LONG.toNanos();
    while (served.get() <= REQUESTS && System.nanoTime() < deadline) {
      rain(target, 100);
    }
    assertTrue(served.get() > REQUESTS, "only " + served + " requests while it rained");
  }

  /**
   * What a dialling node writes in a handshake that succeeds; on a loaded machine one may be late.
   */
  private byte[] recordHandshake(InetSocketAddress target) throws IOException {
    for (int i = 0; i < 4; i++) {
      try {
        return recordOneHandshake(target);
      } catch (IOException e) {
        // It took longer than the node waits for one.
      }
    }
    return recordOneHandshake(target);
  }

  private byte[] recordOneHandshake(InetSocketAddress target) throws IOException {
    try (SocketChannel channel = SocketChannel.open(target)) {
      RecordingChannel recording = new RecordingChannel(channel);
      dial(recording);
      return recording.written().toByteArray();
    }
  }

  private void dial(java.nio.channels.ByteChannel channel) throws IOException {
    Stranger stranger = new Stranger(STRANGER, random.nextLong());
    new Handshake(stranger, "tcp", Await.LONG)
        .dial(channel, "the node under test", 1, Offer.NOTHING);
  }

  private void spoilHandshake(InetSocketAddress target, byte[] handshake) throws IOException {
    byte[] spoiled = mutation.of(handshake);
    if (isFromTheHealthyNode(spoiled)) {
      return; // without a cluster key anybody may say so: it would be no spoiled byte but a lie
    }
    done++;
    try (SocketChannel channel = SocketChannel.open(target)) {
      writeAndLeave(channel, spoiled);
    }
  }

  private static boolean isFromTheHealthyNode(byte[] handshake) {
    return handshake.length > HELLO_FROM + 1
        && handshake[HELLO_FROM] == HEALTHY
        && handshake[HELLO_FROM + 1] == 0;
  }

  /** A real handshake, a lane, some right segments, then spoiled ones until the node has enough. */
  private void spoilLink(InetSocketAddress target) throws IOException {
    try (SocketChannel channel = SocketChannel.open(target)) {
      dial(channel);
      Segments segments = new Segments(random.split());
      channel.write(ByteBuffer.wrap(Segments.openLane()));
      for (int i = random.nextInt(3); i > 0; i--) {
        channel.write(ByteBuffer.wrap(segments.next()));
      }
      for (int i = random.nextInt(4); i >= 0; i--) {
        done++;
        channel.write(ByteBuffer.wrap(mutation.of(segments.next())));
      }
      if (random.nextInt(2) == 0) {
        awaitAnswer(channel);
      }
      abortively(channel);
    } catch (IOException e) {
      // The node has closed the connection: that is what it is to do.
    }
  }

  private void writeAndLeave(SocketChannel channel, byte[] bytes) throws IOException {
    try {
      channel.write(ByteBuffer.wrap(bytes));
      if (random.nextInt(4) == 0) {
        channel.shutdownOutput();
        awaitAnswer(channel);
      }
      abortively(channel);
    } catch (IOException e) {
      // as above
    }
  }

  private static void awaitAnswer(SocketChannel channel) throws IOException {
    channel.socket().setSoTimeout(20);
    try {
      channel.socket().getInputStream().read(new byte[512]);
    } catch (java.net.SocketTimeoutException e) {
      // it waits for more: our time is up
    }
  }

  /** No TIME_WAIT: there would be tens of thousands. */
  private static void abortively(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
  }

  private static void assertReasonsAreCounted(Map<String, Long> counters) {
    List<String> reasons =
        counters.keySet().stream()
            .filter(name -> name.startsWith("links.rejected") || name.startsWith("sessions.broken"))
            .toList();
    assertTrue(
        reasons.stream().anyMatch(name -> name.startsWith("links.rejected"))
            && reasons.stream().anyMatch(name -> name.startsWith("sessions.broken")),
        () -> "reasons: " + counters);
  }

  /** What a leak would show in. */
  private record Traces(List<String> threads, Map<String, Integer> files, long heapBytes) {

    static Traces now(Node victim) {
      settle(victim);
      return new Traces(Threads.ofVerbena(), OpenFiles.count(), heap());
    }

    /** The stranger's last session is over, and what it held is given back. */
    private static void settle(Node victim) {
      victim.removePeer(STRANGER);
      Await.until(
          "the stranger's connection to be over",
          () -> victim.connections().stream().noneMatch(info -> info.nodeId() == STRANGER));
      victim.addPeer(STRANGER, "");
    }

    private static long heap() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }

    void assertSameAsNow(Node victim) {
      settle(victim);
      Await.until(
          Await.LONG,
          () -> "threads before " + threads + ", now " + Threads.ofVerbena(),
          () -> Threads.ofVerbena().size() <= threads.size() + 4); // those of the healthy node
      Await.until(
          Await.LONG,
          () -> "files before " + files + ", now " + OpenFiles.count(),
          () -> isNotMore(OpenFiles.count()));
      long grown = heap() - heapBytes;
      assertTrue(grown < HEAP_BOUND_BYTES, "the heap has grown by " + grown + " bytes");
    }

    private boolean isNotMore(Map<String, Integer> now) {
      return now.entrySet().stream()
          .allMatch(kind -> kind.getValue() <= files.getOrDefault(kind.getKey(), 0) + 4);
    }
  }
}
