// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What a connection costs that carries a message now and then. */
public abstract class MemoryConformance extends ConformanceCase {

  private static final int PEERS = 8;

  /** Of the 64 KiB that a connection may cost this leaves some for objects on the heap. */
  private static final long MOST_BYTES = 54 * 1024;

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
