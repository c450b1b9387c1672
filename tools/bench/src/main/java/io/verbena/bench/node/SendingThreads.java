// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that start together, round after round; if one fails, the first failure counts. They live
 * between rounds as a program's threads do: what a new thread has to set up first is not measured.
 */
final class SendingThreads implements AutoCloseable {

  /** What one thread does. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws InterruptedException;
  }

  private final int count;
  private final ExecutorService threads;

  SendingThreads(int count) {
    this.count = count;
    this.threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("bench-sender-", 0).factory());
  }

  int count() {
    return count;
  }

  /** Runs the work in all of them and waits for that. */
  void run(Work work) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Void>> begun =
        IntStream.range(0, count).mapToObj(thread -> begin(thread, work, start)).toList();
    start.countDown();
    Throwable first = null;
    for (Future<Void> one : begun) {
      Throwable failure = failureOf(one);
      first = first == null ? failure : first;
    }
    if (first != null) {
      throw new IllegalStateException("a sending thread failed: " + first, first);
    }
  }

  private Future<Void> begin(int thread, Work work, CountDownLatch start) {
    Callable<Void> body =
        () -> {
          start.await();
          work.run(thread);
          return null;
        };
    return threads.submit(body);
  }

  private static @Nullable Throwable failureOf(Future<Void> one) throws InterruptedException {
    try {
      one.get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
