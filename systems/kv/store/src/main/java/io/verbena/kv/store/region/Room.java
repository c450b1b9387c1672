// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;

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
  private int pendingPairs; // in the log, and perhaps not in the table yet
  private long pendingBytes;
  final LongAdder stalls = new LongAdder();
  final LongAdder stallNanos = new LongAdder();

  /**
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
      Duration longestWait,
      Tree.GoAhead goAhead) {
    this.region = region;
    this.tables = tables;
    this.views = views;
    this.log = log;
    this.health = health;
    this.housekeeping = housekeeping;
    this.flushed = flushed;
    this.longestWait = longestWait;
    this.goAhead = goAhead;
  }

  void reserve(int pairs, long bytes) throws IOException {
    goAhead.check();
    if (!views.peek().active().hasRoom(pendingPairs + pairs, pendingBytes + bytes)) {
      log.drain();
      pendingPairs = 0;
      pendingBytes = 0;
      make(pairs, bytes);
    }
    pendingPairs += pairs;
    pendingBytes += bytes;
  }

  private void make(int pairs, long bytes) throws IOException {
    long begin = System.nanoTime();
    Events.Stall stall = new Events.Stall();
    stall.begin();
    boolean waited = false;
    while (!views.peek().active().hasRoom(pairs, bytes)) {
      checkFitsAnEmptyTable(pairs, bytes);
      if (views.peek().tables.size() == 1) {
        change();
      } else {
        waited = true;
        awaitFlush(begin);
      }
    }
    if (waited) {
      stalls.increment();
      stallNanos.add(System.nanoTime() - begin);
      stall.region = region;
      stall.commit();
    }
  }

  private void checkFitsAnEmptyTable(int pairs, long bytes) {
    if (views.peek().active().isEmpty()) {
      throw new IllegalArgumentException(
          pairs
              + " writes of "
              + bytes
              + " bytes do not fit into a table in memory: raise tableBytes or tablePairs");
    }
  }

  /** Has another active table. Nothing is in the log that is not in the one before. */
  private void change() {
    tables.change(log.applied());
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
    long begin = System.nanoTime();
    awaitOneTable(begin);
    if (!views.peek().active().isEmpty()) {
      change();
      awaitOneTable(begin);
    }
  }

  private void awaitOneTable(long begin) throws IOException {
    while (views.peek().tables.size() > 1) {
      awaitFlush(begin);
    }
  }

  private void awaitFlush(long begin) throws IOException {
    health.check();
    IOException full = housekeeping.lastFull();
    if (full != null) {
      housekeeping.startFlush(); // there may be space by now
      housekeeping.startMerge();
      throw new DiskFullException(full.getMessage(), full);
    }
    long left = longestWait.toNanos() - (System.nanoTime() - begin);
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
