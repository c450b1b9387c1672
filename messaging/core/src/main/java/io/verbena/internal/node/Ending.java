// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a node once, whoever asks for it and how often. The first caller does it, others wait for
 * it. A thread that receives or handles a message does neither, as the end waits for it.
 */
final class Ending {

  private static final long BESIDES_NS = 2 * Farewell.MOMENT_NS + 1_000_000_000;

  private final int nodeId;
  private final BooleanSupplier isNeeded;
  private final Consumer<Duration> work;
  private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * @param isNeeded whether the end waits for the calling thread, which must not wait for it then
   * @param work closes everything; gets the grace there is for what was accepted
   */
  Ending(int nodeId, BooleanSupplier isNeeded, Consumer<Duration> work) {
    this.nodeId = nodeId;
    this.isNeeded = isNeeded;
    this.work = work;
  }

  /** Has the node closed. */
  void begin(Duration grace) {
    if (isNeeded.getAsBoolean()) {
      Thread.ofPlatform().name("verbena-" + nodeId + "-close").start(() -> end(grace));
    } else {
      end(grace);
    }
  }

  private void end(Duration grace) {
    Thread self = Thread.currentThread();
    if (worker.compareAndSet(null, self)) {
      try {
        work.accept(grace);
      } finally {
        done.countDown();
      }
    } else if (worker.get() != self) { // it would be a listener that is told of the end
      awaitEnd(grace);
    }
  }

  /** Waits until the node has ended. */
  void await() throws InterruptedException {
    if (isNeeded.getAsBoolean()) {
      throw new IllegalStateException(
          "node " + nodeId + " cannot end while its own handler waits for that");
    }
    done.await();
  }

  /** As long as its own grace allows, and what the end takes besides the flush. */
  private void awaitEnd(Duration grace) {
    long untilNs = System.nanoTime() + grace.toNanos() + BESIDES_NS;
    try {
      while (done.getCount() > 0 && System.nanoTime() - untilNs < 0) {
        done.await(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
