// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links over which nothing passes now have lanes and no other buffers. */
@Tag("timing")
class IdleLinkMemoryTest {

  private static final int NODES = 9;

  /** A link with a buffer of its own would have twice as much. */
  private static final long MOST_BYTES = 8 * 1024;

  @Test
  void linksLendTheirBuffersToEachOther() throws InterruptedException {
    try (Cluster cluster = new Cluster(new ProxiedTcp())) {
      for (int id = 1; id <= NODES; id++) {
        Node node = cluster.build(id);
        node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
        node.start();
      }
      for (int id = 2; id < NODES; id++) { // what each node has for all of its links
        ask(cluster, id, id + 1);
      }
      ask(cluster, 1, 2);
      long before = directBytes();
      for (int peer = 3; peer <= NODES; peer++) {
        ask(cluster, 1, peer);
        ask(cluster, peer, 1);
      }
      int ends = 2 * (NODES - 2);
      assertThat((directBytes() - before) / ends).isLessThan(MOST_BYTES);
    }
  }

  private static void ask(Cluster cluster, int from, int to) throws InterruptedException {
    cluster.node(from).request(to, new Ask(1), Answer.class, Await.LONG);
  }

  /** Arenas that are closed by hand do not count, and so neither do rings. */
  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
