// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that are awaited together; the first failure of one ends them all, and is the test's. */
final class Crew {
  static final Duration BOUND = Duration.ofMinutes(2);

  interface Work {
    void run() throws Exception;
  }

  private final long seed;
  private final List<Thread> workers = new ArrayList<>();
  private final List<Thread> watchers = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean over = new AtomicBoolean();

  Crew(long seed) {
    this.seed = seed;
  }

  /** A thread that comes to an end. */
  Thread work(Thread.Builder builder, Work work) {
    return start(workers, builder, work);
  }

  /** A thread whose work is done again and again until the others' is over. */
  Thread watch(Thread.Builder builder, Work work) {
    return start(
        watchers,
        builder,
        () -> {
          do {
            work.run();
          } while (goesOn());
        });
  }

  private Thread start(List<Thread> threads, Thread.Builder builder, Work work) {
    Thread thread =
        builder.start(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
                over.set(true);
              }
            });
    threads.add(thread);
    return thread;
  }

  boolean goesOn() {
    return !over.get();
  }

  void await() throws InterruptedException {
    join(workers);
    over.set(true);
    join(watchers);
    if (failure.get() != null) {
      throw new AssertionError("-Dverbena.seed=" + seed, failure.get());
    }
  }

  private void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      assertThat(thread.join(BOUND))
          .as("%s, which ends: %s", thread, List.of(thread.getStackTrace()))
          .isTrue();
    }
  }

  static Thread.Builder.OfPlatform platform() {
    return Thread.ofPlatform().daemon();
  }

  /** Waits until others have made a condition true. */
  static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin)
          .as("nanoseconds until %s", what)
          .isLessThan(BOUND.toNanos());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
