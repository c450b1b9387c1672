// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.log.Record;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The tables in memory of a region's view: the active one, to which operations of the log are
 * applied, and those before it.
 */
final class Tables {
  private final Settings settings;
  private final AtomicReference<@Nullable MemoryTable> spare = new AtomicReference<>();
  private final MemorySegment location =
      Arena.ofAuto().allocate(Location.BYTES, 8); // of the thread that applies
  private volatile boolean closed;

  Tables(Settings settings) {
    this.settings = settings;
  }

  private MemoryTable take() {
    MemoryTable table = spare.getAndSet(null);
    return table != null ? table : new MemoryTable(settings.tableBytes(), settings.tablePairs());
  }

  /** Nobody reads a table any more. */
  void recycle(MemoryTable table) {
    table.clear();
    if (closed || !spare.compareAndSet(null, table)) {
      table.close();
    }
  }

  /** Frees what is not in a view. */
  void close() {
    closed = true;
    MemoryTable kept = spare.getAndSet(null);
    if (kept != null) {
      kept.close();
    }
  }

  /** The active table is full up to an operation: another one takes its place. */
  void change(View.Chain views, long lastSequence) {
    change(views, lastSequence, take());
  }

  private static void change(View.Chain views, long lastSequence, MemoryTable next) {
    views.peek().active().setLastSequence(lastSequence);
    views.replace(tables -> withFirst(next, tables), trees -> trees, () -> {});
  }

  private static List<MemoryTable> withFirst(MemoryTable next, List<MemoryTable> tables) {
    List<MemoryTable> all = new ArrayList<>(tables);
    all.addFirst(next);
    return all;
  }

  /** The bytes of a table that a value of this length takes. */
  long bytesOf(long valueLength) {
    return valueLength > settings.inlineLimit()
        ? Location.BYTES
        : Math.max(Location.BYTES, valueLength); // it may have been a longer limit
  }

  /**
   * A table for what was in memory before a start. It has as much memory as others, for any number
   * of pairs.
   */
  MemoryTable forReplay() {
    return new MemoryTable(settings.tableBytes(), Integer.MAX_VALUE);
  }

  /**
   * Applies an operation that recovery gives, to another table where the active one has no room.
   */
  void replay(
      View.Chain views,
      int kind,
      long sequence,
      long version,
      MemorySegment memory,
      long segment,
      long key,
      int keyLength,
      int valueLength) {
    if (!views.peek().active().hasRoom(1, keyLength + bytesOf(valueLength))) {
      change(views, sequence - 1, forReplay());
    }
    apply(views, kind, sequence, version, memory, segment, key, keyLength, valueLength);
  }

  /** Tables that were filled by recovery take no more pairs than others from here on. */
  void endReplay(View.Chain views) {
    views.peek().tables.forEach(table -> table.limit(settings.tablePairs()));
  }

  /** Applies an operation of the log to the active table. One thread at a time does. */
  void apply(
      View.Chain views,
      int kind,
      long sequence,
      long version,
      MemorySegment memory,
      long segment,
      long key,
      int keyLength,
      int valueLength) {
    MemoryTable table = views.peek().active();
    long value = key + keyLength;
    if (kind == Record.DELETE) {
      table.add(memory, key, keyLength, Entry.word(sequence, Entry.TOMBSTONE), memory, value, 0);
    } else if (kind == Record.PUT && valueLength <= settings.inlineLimit()) {
      table.add(
          memory, key, keyLength, Entry.word(sequence, Entry.VALUE), memory, value, valueLength);
    } else {
      int checksum = Bytes.checksum(segment, (int) value, memory.asSlice(value, valueLength));
      Location.write(location, 0, segment, (int) value, valueLength, checksum, version);
      table.add(
          memory, key, keyLength, Entry.word(sequence, Entry.PLACE), location, 0, Location.BYTES);
    }
  }
}
