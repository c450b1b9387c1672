// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.Node;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An inline handler that takes its time, as it should not. */
@Timeout(600)
class BusyHandlerTest {

  /** The peer says that it takes more, and the thread that would hear it is in the handler. */
  @Test
  void otherThreadsSendOn() throws InterruptedException {
    AtomicInteger arrived = new AtomicInteger();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    try (Cluster cluster = new Cluster(new Verbs())) {
      cluster.open(2).handle(Blob.class, (blob, from) -> arrived.incrementAndGet());
      Node busy = cluster.open(1);
      busy.handle(
          Numbered.class,
          (message, from) -> {
            entered.countDown();
            letGo.await();
          });
      cluster.node(2).send(1, new Numbered(2, 0));
      entered.await();
      try {
        sendEachWhenTheLastHasArrived(busy, arrived);
      } finally {
        letGo.countDown();
      }
    }
  }

  private static void sendEachWhenTheLastHasArrived(Node from, AtomicInteger arrived) {
    for (int i = 1; i <= 100; i++) { // windows begin with seven
      Await.idle(Duration.ofMillis(1)); // behind this it is no burst, of which the loop writes
      from.send(2, new Blob(i, new byte[1000]));
      int sent = i;
      Await.until("message " + i, () -> arrived.get() == sent);
    }
  }
}
