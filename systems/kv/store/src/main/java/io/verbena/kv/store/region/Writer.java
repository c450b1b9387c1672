// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Planted;
import io.verbena.kv.store.base.Spin;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Log;
import io.verbena.kv.store.log.Operation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Puts operations into the log, and returns when they can be seen, and are as safe as was asked
 * for. Any thread.
 */
final class Writer {
  private final Log log;
  private final Reader reader;
  private final Room room;
  private final Space space;
  private final boolean waitsForDisk;
  private final Tree.GoAhead goAhead;
  final LongAdder moves = new LongAdder();

  /**
   * @param waitsForDisk whether a write returns only when it is durable
   * @param goAhead throws where the region is closed
   */
  Writer(
      Log log, Reader reader, Room room, Space space, boolean waitsForDisk, Tree.GoAhead goAhead) {
    this.log = log;
    this.reader = reader;
    this.room = room;
    this.space = space;
    this.waitsForDisk = waitsForDisk;
    this.goAhead = goAhead;
  }

  /** As {@link RegionEngine#write}. */
  long write(Write write, long expected) throws IOException {
    long sequence = 0;
    Object turn;
    Spin.lock(log.appendLock());
    try {
      goAhead.check();
      if (!write.isDelete() && space.isLow()) {
        room.makeSpace();
        throw space.refusal();
      }
      room.reserve(write.count(), write.tableBytes()); // first: others may write while it waits
      if (expected < 0 || hasVersion(write.key(), expected)) {
        long at = log.begin(write.bytes());
        write.layOut(log.image(), at);
        sequence = log.end(write.bytes(), write.count());
      }
      turn = log.turn();
    } finally {
      log.appendLock().unlock();
    }
    if (sequence == 0) {
      awaitDurability(log.applied()); // what it has told must not be lost
    } else {
      log.awaitApplied(sequence, turn);
      awaitDurability(sequence);
    }
    return sequence;
  }

  private boolean hasVersion(MemorySegment key, long expected) throws IOException {
    log.drain(); // so that all writes before it can be seen
    Found found = new Found(MemorySegment.NULL);
    boolean there = reader.find(key, found) && found.kind() != Entry.TOMBSTONE;
    return (there ? found.version() : 0) == expected;
  }

  private void awaitDurability(long sequence) throws IOException {
    if (waitsForDisk) {
      log.awaitDurable(sequence);
    }
  }

  /**
   * Writes values again, as one record, but for those that were written anew or deleted meanwhile.
   */
  void move(List<Collector.Live> values) throws IOException {
    long sequence;
    Object turn;
    log.appendLock().lock();
    try {
      room.reserve(
          values.size(), values.stream().mapToLong(v -> v.key().byteSize() + Location.BYTES).sum());
      log.drain(); // so that all writes before the moves can be seen
      List<Collector.Live> still = new ArrayList<>();
      for (Collector.Live value : values) {
        if (Planted.MOVE_OVER_NEWER.here() || isAt(value)) {
          still.add(value);
        }
      }
      if (still.isEmpty()) {
        return;
      }
      int length = still.stream().mapToInt(Collector.Live::bytes).sum();
      long at = log.begin(length);
      for (Collector.Live value : still) {
        at =
            Operation.write(
                log.image(), at, Operation.MOVE, value.version(), value.key(), value.value());
      }
      sequence = log.end(length, still.size());
      turn = log.turn();
      moves.add(still.size());
    } finally {
      log.appendLock().unlock();
    }
    log.awaitApplied(sequence, turn);
  }

  /** Whether a key names the place where a value lies. */
  boolean isAt(Collector.Live value) throws IOException {
    Found found = new Found(MemorySegment.NULL);
    return reader.find(value.key(), found) && found.isAt(value.segment(), value.offset());
  }
}
