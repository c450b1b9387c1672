// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Node;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * An inline handler that takes its time, as it should not: the thread that receives does nothing
 * else meanwhile, so the node does not hear of new room. What it has accepted leaves it all the
 * same, as far as there is room where it goes: 8 KiB for all that a test sends.
 */
public abstract class BusyHandlerConformance extends ConformanceCase {

  private static final int WARM_UP = 50_000;

  private final AtomicInteger arrived = new AtomicInteger();
  private final Node peer = open(2);
  private final Node busy = open(1);

  /** For a transport. */
  protected BusyHandlerConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
    peer.handle(Blob.class, (blob, from) -> arrived.incrementAndGet());
  }

  @Test
  void otherThreadsSendOn() throws InterruptedException {
    whileTheHandlerRuns(
        () -> {
          for (int i = 1; i <= 100; i++) { // windows of verbs begin with seven
            send(1);
            awaitArrived(i);
          }
        });
  }

  /** Once it is compiled, a send follows another so soon that it is left to the loop. */
  @Test
  void burstsOfAnotherThreadAreNotLeftBehind() throws InterruptedException {
    send(WARM_UP);
    awaitArrived(WARM_UP);
    whileTheHandlerRuns(
        () -> {
          for (int burst = 1; burst <= 5; burst++) {
            send(20);
            awaitArrived(WARM_UP + 20 * burst);
          }
        });
  }

  @Test
  void whatTheHandlerItselfSendsIsNotLeftBehind() {
    AtomicInteger handled = new AtomicInteger();
    busy.handle(
        Numbered.class,
        (message, from) -> {
          send(20);
          awaitArrived(20 * (int) message.number());
          handled.incrementAndGet();
        });
    for (int i = 1; i <= 10; i++) {
      peer.send(1, new Numbered(2, i));
    }
    await("ten handlers", () -> handled.get() == 10);
  }

  private void whileTheHandlerRuns(Runnable work) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    busy.handle(
        Numbered.class,
        (message, from) -> {
          entered.countDown();
          letGo.await();
        });
    peer.send(1, new Numbered(2, 0));
    entered.await();
    try {
      work.run();
    } finally {
      letGo.countDown();
    }
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      busy.send(2, new Blob(i, new byte[20]));
    }
  }

  private void awaitArrived(int count) {
    await("message " + count, () -> arrived.get() == count);
  }
}
