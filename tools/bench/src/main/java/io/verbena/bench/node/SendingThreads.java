// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that start together; if one fails, the first failure counts. */
final class SendingThreads {

  /** What one thread does. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws InterruptedException;
  }

  private final CountDownLatch start = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private SendingThreads() {}

  /** Runs the work in so many threads and waits for all of them. */
  static void run(int threads, Work work) throws InterruptedException {
    new SendingThreads().runAll(threads, work);
  }

  private void runAll(int threads, Work work) throws InterruptedException {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      Runnable body = () -> runOne(thread, work);
      started.add(Thread.ofPlatform().daemon().name("bench-sender-" + i).start(body));
    }
    start.countDown();
    for (Thread thread : started) {
      thread.join();
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a sending thread failed: " + first, first);
    }
  }

  private void runOne(int thread, Work work) {
    try {
      start.await();
      work.run(thread);
    } catch (Throwable e) { // carried to the thread that waits
      failure.compareAndSet(null, e);
    }
  }
}
