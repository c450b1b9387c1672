// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that the active table has room for an operation before that gets into the log, so that
 * the thread that applies it never waits. Where the table is full, another one takes its place;
 * where two are full, the writer waits for a flush. All of it is under the log's append lock, which
 * waiting gives back.
 */
final class Room {
  private final int region;
  private final Tables tables;
  private final View.Chain views;
  private final Log log;
  private final Health health;
  private final Housekeeping housekeeping;
  private final Condition flushed;
  private final Duration longestWait;
  private final Tree.GoAhead goAhead;
  private final long longestLog;
  private long logBefore; // bytes that were written before the active table's first one
  private int pendingPairs; // in the log, and perhaps not in the table yet
  private long pendingBytes;
  private boolean isHalfUsed; // the active table, when somebody looked
  final LongAdder stalls = new LongAdder();
  final LongAdder stallNanos = new LongAdder();

  /**
   * @param longestLog bytes of the log for one table: long values take no room in it, but are read
   *     at the next start, and cannot be collected before it was flushed
   * @param flushed signalled when a table was flushed, or nothing is any more
   * @param goAhead throws where the region is closed
   */
  Room(
      int region,
      Tables tables,
      View.Chain views,
      Log log,
      Health health,
      Housekeeping housekeeping,
      Condition flushed,
      long longestLog,
      Duration longestWait,
      Tree.GoAhead goAhead) {
    this.region = region;
    this.tables = tables;
    this.views = views;
    this.log = log;
    this.health = health;
    this.housekeeping = housekeeping;
    this.flushed = flushed;
    this.longestLog = longestLog;
    this.longestWait = longestWait;
    this.goAhead = goAhead;
  }

  void reserve(int pairs, long bytes) throws IOException {
    goAhead.check();
    if (isHalfUsed && tables.lacksNext()) {
      housekeeping.startPreparing();
    }
    isHalfUsed = false;
    if (!has(pendingPairs + pairs, pendingBytes + bytes)) {
      log.drain();
      pendingPairs = 0;
      pendingBytes = 0;
      make(pairs, bytes);
    }
    pendingPairs += pairs;
    pendingBytes += bytes;
  }

  private boolean has(int pairs, long bytes) {
    MemoryTable active = views.peek().active();
    return active.hasRoom(pairs, bytes)
        && (active.isEmpty() || log.bytesWritten() - logBefore < longestLog);
  }

  /**
   * Has the next write ask for another table if that will be wanted soon. Called now and then,
   * under the append lock.
   */
  void lookAhead() {
    isHalfUsed =
        views.peek().active().isHalfUsed() || log.bytesWritten() - logBefore > longestLog / 2;
  }

  private void make(int pairs, long bytes) throws IOException {
    Wait wait = new Wait(longestWait.toNanos());
    Events.Stall stall = null; // made where it is needed: the first event of a JVM takes 0.1 s
    try {
      while (!has(pairs, bytes)) {
        checkFitsAnEmptyTable(pairs, bytes);
        if (views.peek().tables.size() == 1) {
          change();
        } else {
          stall = stall == null ? stallBegins() : stall;
          wait.forFlush();
        }
      }
    } finally {
      if (stall != null) {
        stalls.increment();
        stallNanos.add(System.nanoTime() - wait.since);
        stall.commit();
      }
    }
  }

  private Events.Stall stallBegins() {
    Events.Stall stall = new Events.Stall();
    stall.region = region;
    stall.begin();
    return stall;
  }

  private void checkFitsAnEmptyTable(int pairs, long bytes) {
    if (views.peek().active().isEmpty()) {
      throw new IllegalArgumentException(
          pairs
              + " writes of "
              + bytes
              + " bytes do not fit into a table in memory, which takes "
              + views.peek().active().capacity()
              + ": raise tableBytes or tablePairs, or write less at once");
    }
  }

  /** Has another active table. Nothing is in the log that is not in the one before. */
  private void change() {
    tables.change(log.applied());
    logBefore = log.bytesWritten();
    housekeeping.startFlush();
  }

  /** As {@link #flushAll}, if no other table waits for its flush; it does not wait for this one. */
  void changeIfFree() throws IOException {
    log.drain();
    if (views.peek().tables.size() == 1 && !views.peek().active().isEmpty()) {
      change();
    }
  }

  /** Returns when all that was written before is in trees. */
  void flushAll() throws IOException {
    goAhead.check();
    log.drain();
    long upTo = log.applied();
    Wait wait = new Wait(Long.MAX_VALUE);
    for (View view = views.peek(); view.replayed < upTo; view = views.peek()) {
      if (view.tables.size() > 1) {
        wait.forFlush(); // of a table that others may have changed meanwhile
      } else {
        change(); // it has the rest
      }
    }
  }

  /** Has upkeep free what space it can, for writes that were refused. */
  void makeSpace() throws IOException {
    changeIfFree();
    housekeeping.startAgain();
  }

  /** One caller's. */
  private final class Wait {
    private final long since = System.nanoTime();
    private final long longest;
    private @Nullable IOException fullBefore;
    private boolean begun;

    Wait(long longestNanos) {
      longest = longestNanos;
    }

    /**
     * Waits for a while, or until a flush is done. Fails when a flush has met a full disk since
     * this has begun.
     */
    void forFlush() throws IOException {
      health.check();
      if (!begun) {
        begun = true;
        fullBefore = housekeeping.lastFull();
        if (fullBefore != null) {
          housekeeping.startAgain(); // there may be space by now
          return;
        }
      }
      IOException full = housekeeping.lastFull();
      if (full != null && full != fullBefore) {
        throw new DiskFullException(full.getMessage(), full);
      }
      long left = longest - (System.nanoTime() - since);
      if (left <= 0) {
        throw new BusyException(longestWait);
      }
      boolean interrupted = Thread.interrupted();
      try {
        flushed.awaitNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      goAhead.check();
      log.drain(); // others have written meanwhile
    }
  }
}
