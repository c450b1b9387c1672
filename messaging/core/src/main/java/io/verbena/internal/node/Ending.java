// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a node once, whoever asks for it and how often. The first caller does it, others wait for
 * it. A thread that receives, handles a message or tells a listener does neither, as the end waits
 * for it.
 */
final class Ending {

  private static final long BESIDES_NS = 2 * Farewell.MOMENT_NS + 1_000_000_000;

  private static final long MAX_GRACE_NS = Long.MAX_VALUE / 2; // deadlines are compared by sign

  private final int nodeId;
  private final BooleanSupplier isNeeded;
  private final LongConsumer work;
  private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * @param isNeeded whether the end waits for the calling thread, which must not wait for it then
   * @param work closes everything; gets when the grace for what was accepted is over, by {@link
   *     System#nanoTime}
   */
  Ending(int nodeId, BooleanSupplier isNeeded, LongConsumer work) {
    this.nodeId = nodeId;
    this.isNeeded = isNeeded;
    this.work = work;
  }

  /**
   * Has the node closed.
   *
   * @param grace for what was accepted; less than none counts as none, centuries as for ever
   */
  void begin(Duration grace) {
    long untilNs = System.nanoTime() + boundedNs(grace);
    if (isNeeded.getAsBoolean()) {
      Thread.ofPlatform().name("verbena-" + nodeId + "-close").start(() -> end(untilNs));
    } else {
      end(untilNs);
    }
  }

  private static long boundedNs(Duration grace) {
    return Math.clamp(TimeUnit.NANOSECONDS.convert(grace), 0, MAX_GRACE_NS);
  }

  private void end(long untilNs) {
    Thread self = Thread.currentThread();
    if (worker.compareAndSet(null, self)) {
      try {
        work.accept(untilNs);
      } finally {
        done.countDown();
      }
    } else if (worker.get() != self) { // it would be a listener that is told of the end
      awaitEnd(untilNs + BESIDES_NS);
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
  private void awaitEnd(long untilNs) {
    try {
      while (done.getCount() > 0 && System.nanoTime() - untilNs < 0) {
        done.await(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
