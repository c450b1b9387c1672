// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.Series;
import io.verbena.testkit.TestMessages.Numbered;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One round of the library brings what arrived on many links. */
@Tag("timing")
@Timeout(600)
class ScarceMemoryTest {

  private static final int LACKS = 20;

  private final Verbs verbs = new Verbs();
  private final Cluster cluster = new Cluster(verbs);

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void whatOneLinkHasNoMemoryForCostsNoOtherLinkAnything() throws InterruptedException {
    verbs.lackMemory(1, 2, LACKS);
    Node one = cluster.open(1, builder -> builder.set("link.timeout", "60s"));
    Node two = cluster.open(2, builder -> builder.set("link.timeout", "60s"));
    Node three = cluster.open(3);
    Series atTwo = new Series();
    two.handle(Numbered.class, (message, from) -> atTwo.take(message));
    one.send(2, new Numbered(1, 0));
    long sent = 0;
    while (verbs.lacksLeft(1, 2) > 0) {
      three.send(2, new Numbered(3, sent++));
      if (sent % 1000 == 0) {
        LockSupport.parkNanos(100_000); // the other two share the processors
      }
    }
    long all = sent;
    Await.until("node 3's messages", () -> atTwo.count(3) == all);
    Await.until("node 1's message", () -> atTwo.count(1) == 1);
    atTwo.check();
    assertThat(cluster.events(2).lostReasons()).isEmpty();
    assertThat(cluster.events(3).lostReasons()).isEmpty();
  }
}
