// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.region.RegionEngine;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a store that flush tables, merge trees, collect what is live in the log, and sync
 * it now and then.
 */
interface Background {
  Executor flusher();

  Executor merger();

  Executor collector();

  /** The regions are open. */
  void begin(List<RegionEngine> regions);

  /** Returns when nothing runs any more. */
  void end();

  static Background threads(StoreOptions options) {
    return new Threads(options);
  }

  /** Threads of the operating system that nobody interrupts. */
  final class Threads implements Background {
    private static final int MERGERS = 2; // so that small merges go on beside a large one

    private final StoreOptions options;
    private final ExecutorService flusher = Executors.newSingleThreadExecutor(named("flush"));
    private final ExecutorService merger = Executors.newFixedThreadPool(MERGERS, named("merge"));
    private final ExecutorService collector = Executors.newSingleThreadExecutor(named("collect"));
    private final ScheduledExecutorService syncer =
        Executors.newSingleThreadScheduledExecutor(named("sync"));

    private Threads(StoreOptions options) {
      this.options = options;
    }

    private static ThreadFactory named(String what) {
      return Thread.ofPlatform().daemon().name("verbena-kv-" + what + "-", 0).factory();
    }

    @Override
    public Executor flusher() {
      return unlessEnded(flusher);
    }

    @Override
    public Executor merger() {
      return unlessEnded(merger);
    }

    @Override
    public Executor collector() {
      return unlessEnded(collector);
    }

    private static Executor unlessEnded(ExecutorService service) {
      return work -> {
        try {
          service.execute(work);
        } catch (RejectedExecutionException e) {
          // the store is being closed; the next start does it
        }
      };
    }

    @Override
    public void begin(List<RegionEngine> regions) {
      if (options.durability() == Durability.INTERVAL) {
        long nanos = options.syncInterval().toNanos();
        syncer.scheduleWithFixedDelay(
            () -> regions.forEach(RegionEngine::syncInBackground),
            nanos,
            nanos,
            TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void end() {
      for (ExecutorService service : List.of(syncer, flusher, merger, collector)) {
        service.shutdown();
      }
      boolean interrupted = false;
      for (ExecutorService service : List.of(syncer, flusher, merger, collector)) {
        while (!service.isTerminated()) {
          try {
            service.awaitTermination(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
