// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Log;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When tables are flushed, trees merged and segments of the log freed, on threads for that. Each
 * kind of work starts the next one: a flush may make a merge due, a merge lets flushes go on that
 * waited for it, and where nothing is to be merged the log is looked at. A full disk ends the work
 * at hand; the next write that finds no room starts it again. Any other failure ends writing.
 */
final class Housekeeping {
  private final Upkeep upkeep;
  private final Collector collector;
  private final Catalog catalog;
  private final View.Chain views;
  private final Log log;
  private final Health health;
  private final Condition changed;
  private final Region region;
  private final Executor flusher;
  private final Executor merger;
  private final Executor collectors;
  private final ReentrantLock flushing = new ReentrantLock();
  private final ReentrantLock compaction = new ReentrantLock();
  private final AtomicBoolean flushQueued = new AtomicBoolean();
  private final AtomicBoolean mergeQueued = new AtomicBoolean();
  private final AtomicBoolean collectQueued = new AtomicBoolean();
  private volatile @Nullable IOException lastFull;

  /** What it needs of the region. */
  interface Region {
    boolean isClosed();

    /** Nobody reads a table any more. */
    void recycle(MemoryTable table);

    /** Makes the table that is to be the active one next, if there is none. */
    void prepareTable();

    /** Makes a table ready that was recycled. */
    void clearUsedTable();

    /**
     * Has another active table, so that the one that was is flushed, if no other one waits for
     * that.
     */
    void changeTable() throws IOException;
  }

  /**
   * @param changed of the log's append lock; writers wait there for room
   */
  Housekeeping(
      Upkeep upkeep,
      Collector collector,
      Catalog catalog,
      View.Chain views,
      Log log,
      Health health,
      Condition changed,
      Region region,
      Executor flusher,
      Executor merger,
      Executor collectors) {
    this.upkeep = upkeep;
    this.collector = collector;
    this.catalog = catalog;
    this.views = views;
    this.log = log;
    this.health = health;
    this.changed = changed;
    this.region = region;
    this.flusher = flusher;
    this.merger = merger;
    this.collectors = collectors;
  }

  /** That the disk was full, if no flush has worked since; another one each time. */
  @Nullable IOException lastFull() {
    return lastFull;
  }

  /** Tries again what a full disk has ended. */
  void startAgain() {
    startFlush();
    startMerge();
  }

  private boolean isWorking() {
    return !region.isClosed() && health.failure() == null;
  }

  void startFlush() {
    if (flushQueued.compareAndSet(false, true)) {
      flusher.execute(this::flushTables);
    }
  }

  /** Makes the next table ahead, so that no writer waits for it. */
  void startPreparing() {
    flusher.execute(this::prepareTable);
  }

  private void prepareTable() {
    try {
      if (isWorking()) {
        region.prepareTable();
      }
    } catch (OutOfMemoryError e) {
      // the write that needs it tries again, and tells
    }
  }

  private void flushTables() {
    flushQueued.set(false);
    flushing.lock();
    try {
      // where trees are crowded, a merge that is done starts this again
      while (isWorking() && views.peek().tables.size() > 1 && !upkeep.isCrowded()) {
        MemoryTable oldest = views.peek().tables.getLast();
        log.awaitDurable(oldest.lastSequence());
        upkeep.flush(oldest, oldest.lastSequence(), region::recycle);
        region.clearUsedTable();
        lastFull = null;
        wakeWriters();
        startMerge();
      }
    } catch (Throwable e) {
      noteFailure(e);
    } finally {
      flushing.unlock();
    }
  }

  private void wakeWriters() {
    log.appendLock().lock();
    changed.signalAll();
    log.appendLock().unlock();
  }

  void startMerge() {
    if (mergeQueued.compareAndSet(false, true)) {
      merger.execute(this::mergeTrees);
    }
  }

  private void mergeTrees() {
    mergeQueued.set(false);
    try {
      List<Tree> window = isWorking() ? upkeep.nextMerge() : null;
      if (window != null) {
        startMerge(); // of what has nothing in common with this one
        upkeep.merge(window);
        startMerge();
        startFlush();
      } else {
        startCollect();
      }
    } catch (Throwable e) {
      noteFailure(e);
    }
  }

  /**
   * Work that ends by a failure, an error of the machine too, ends writing: otherwise it would be
   * missing in silence.
   */
  void noteFailure(Throwable failure) {
    switch (failure) {
      case DiskFullException full -> lastFull = full;
      case BusyException busy -> {} // the next commit goes on
      case ClosedException gone -> {} // what was written so far goes at the next start
      case IOException io -> health.breakDown(io);
      default -> health.breakDown(new IOException(failure));
    }
    wakeWriters();
  }

  private void startCollect() {
    if (collectQueued.compareAndSet(false, true)) {
      collectors.execute(this::collect);
    }
  }

  /** Frees segments of the log, one after the other, while that is due. */
  private void collect() {
    collectQueued.set(false);
    try {
      if (isWorking() && collector.collectNext()) {
        startCollect();
      } else if (isWorking() && catalog.waitsForFlush()) {
        region.changeTable(); // so that a flush brings moves into a tree, and what they have left
        // goes
      }
    } catch (Throwable e) {
      noteFailure(e);
    }
  }

  /** Makes one tree of all. */
  void compact(Tree.GoAhead goAhead) throws IOException {
    compaction.lock();
    try {
      goAhead.check();
      List<Tree> all = awaitAllTrees(goAhead);
      startFlush(); // tables have waited for merges, and do not wait for this one
      upkeep.merge(all);
    } finally {
      startAgain();
      compaction.unlock(); // nothing is begun behind this: the region may be closing
    }
  }

  /** All trees, when those that are being merged are; few are taken for that meanwhile. */
  private List<Tree> awaitAllTrees(Tree.GoAhead goAhead) throws IOException {
    boolean interrupted = false;
    try {
      List<Tree> all = upkeep.takeAll();
      while (all == null) {
        interrupted |= Thread.interrupted(); // with it nobody parks
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        health.check();
        goAhead.check();
        all = upkeep.takeAll();
      }
      return all;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns when no caller's compaction is under way. One that is gives up when the region is
   * closed.
   */
  void awaitCompaction() {
    compaction.lock();
    compaction.unlock();
  }
}
