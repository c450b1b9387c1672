// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.SendResult;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What a connection costs that carries a message now and then. */
public abstract class MemoryConformance extends ConformanceCase {

  private static final int PEERS = 8;

  /** Of the 64 KiB that a connection may cost this leaves some for objects on the heap. */
  private static final long MOST_BYTES = 54 * 1024;

  /** What {@code lane.bytes} is if nothing else is set. */
  private static final long LANE_BYTES = 1 << 20;

  /** A lane has a ring of 8 KiB, then one of 128, then one of its full size. */
  private static final long SMALLER_RINGS_BYTES = (8 + 128) * 1024;

  private final AtomicInteger heard = new AtomicInteger();

  /** For a transport. */
  protected MemoryConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void connectionThatCarriesAMessageNowAndThenCostsLittle() throws InterruptedException {
    Assumptions.assumeFalse(
        cluster().transport().name().endsWith("rdma"), "lanes over rdma have their full size");
    for (int id = 1; id <= 1 + PEERS; id++) {
      openListening(id);
    }
    talk(2); // what the first connection makes for all of them
    long before = nativeBytes();
    for (int peer = 3; peer <= 1 + PEERS; peer++) {
      talk(peer);
    }
    long each = (nativeBytes() - before) / (2 * (PEERS - 1));
    assertTrue(each <= MOST_BYTES, "an end of a connection takes " + each + " bytes");
    for (int id = 1; id <= 1 + PEERS; id++) {
      cluster().node(id).connections().forEach(MemoryConformance::assertIsSmall);
    }
  }

  /** Bounded by bytes, not by time: who finds the lane full makes it larger then and there. */
  @Test
  void laneHasItsFullSizeOnceTheTwoSmallerOnesAreFullAndNobodyHasWaited() {
    CountDownLatch go = new CountDownLatch(1);
    try {
      build(2).handle(Blob.class, (blob, from) -> go.await());
      cluster().node(2).start();
      Node sender = open(1);
      sender.send(2, new Blob(0, new byte[1])); // connects
      byte[] ballast = new byte[1000];
      for (int sent = 0; sent * ballast.length <= SMALLER_RINGS_BYTES; sent++) {
        assertEquals(SendResult.ACCEPTED, sender.trySend(2, new Blob(sent, ballast)));
      }
      long bytes = sender.connections().iterator().next().memoryBytes();
      assertTrue(bytes >= LANE_BYTES, "the connection takes " + bytes + " bytes");
      assertEquals(0L, sender.metrics().snapshot().get("backpressure.waits"));
    } finally {
      go.countDown();
    }
  }

  private void openListening(int id) {
    Node node = build(id);
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    node.handle(Numbered.class, (message, from) -> heard.incrementAndGet());
    node.start();
  }

  /** Requests and messages, each way: all lanes that there are for everybody are used. */
  private void talk(int peer) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      int before = heard.get();
      say(1, peer, i);
      say(peer, 1, i);
      await("both messages", () -> heard.get() == before + 2);
    }
  }

  private void say(int from, int to, int number) throws InterruptedException {
    Node node = cluster().node(from);
    node.request(to, new Ask(number), Answer.class, Await.LONG);
    node.send(to, new Numbered(from, number));
  }

  private static void assertIsSmall(ConnectionInfo connection) {
    long bytes = connection.memoryBytes();
    assertTrue(bytes > 0 && bytes <= MOST_BYTES, () -> connection.toString());
  }

  /** What this JVM has mapped and allocated outside of the heap, as it counts itself. */
  private static long nativeBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
