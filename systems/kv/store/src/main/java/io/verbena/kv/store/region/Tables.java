// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.Operation;
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
  private final View.Chain views;
  private final AtomicReference<@Nullable MemoryTable> spare = new AtomicReference<>();
  private final AtomicReference<@Nullable MemoryTable> used = new AtomicReference<>();
  private List<MemoryTable> replayed = List.of();
  private final MemorySegment location =
      Arena.ofAuto().allocate(Location.BYTES, 8); // of the thread that applies
  private volatile boolean closed;

  /**
   * Begins with trees, and a table for what was in memory before a start.
   *
   * @param replayed the operation up to which the log is in the trees
   */
  Tables(Settings settings, List<Tree> trees, long replayed) {
    this.settings = settings;
    this.views = new View.Chain(List.of(forReplay()), trees, replayed);
  }

  View.Chain views() {
    return views;
  }

  private MemoryTable take() {
    clearUsed();
    MemoryTable table = spare.getAndSet(null);
    return table != null ? table : make();
  }

  private MemoryTable make() {
    return new MemoryTable(settings.tableBytes(), settings.tablePairs());
  }

  /**
   * Whether the next change would have to make a table, which takes long: its memory is cleared.
   */
  boolean lacksNext() {
    return views.peek().tables.size() == 1 && spare.get() == null && used.get() == null;
  }

  /** Makes the table for the next change, if that lacks one. */
  synchronized void prepareNext() {
    if (lacksNext()) {
      MemoryTable table = make();
      if (!spare.compareAndSet(null, table)) {
        table.close();
      }
    }
  }

  /** Nobody reads a table any more. A reader may call this, so it does not take long. */
  void recycle(MemoryTable table) {
    boolean isNeeded = !closed && !replayed.contains(table) && spare.get() == null;
    if (!isNeeded || !used.compareAndSet(null, table)) {
      table.close();
    }
  }

  /** Makes a table ready that was read until now. */
  void clearUsed() {
    MemoryTable table = used.getAndSet(null);
    if (table != null) {
      table.clear();
      if (closed || !spare.compareAndSet(null, table)) {
        table.close();
      }
    }
  }

  /** Frees what is not in a view. */
  void close() {
    closed = true;
    for (AtomicReference<@Nullable MemoryTable> kept : List.of(spare, used)) {
      MemoryTable table = kept.getAndSet(null);
      if (table != null) {
        table.close();
      }
    }
  }

  /** The active table is full up to an operation: another one takes its place. */
  synchronized void change(long lastSequence) { // waits for one that is being made
    change(lastSequence, take());
  }

  private void change(long lastSequence, MemoryTable next) {
    views.peek().active().setLastSequence(lastSequence);
    views.replace(old -> old.withTables(withFirst(next, old.tables)), () -> {});
  }

  private static List<MemoryTable> withFirst(MemoryTable next, List<MemoryTable> tables) {
    List<MemoryTable> all = new ArrayList<>(tables);
    all.addFirst(next);
    return all;
  }

  /** A table that has as much memory as others, for any number of pairs. */
  private MemoryTable forReplay() {
    return new MemoryTable(settings.tableBytes(), Integer.MAX_VALUE);
  }

  /**
   * Applies an operation that recovery gives, to another table where the active one has no room.
   */
  void replay(Operation operation) {
    int valueBytes = isInline(operation) ? operation.valueLength() : Location.BYTES;
    if (!views.peek().active().hasRoom(1, operation.keyLength() + valueBytes)) {
      change(operation.sequence() - 1, forReplay());
    }
    apply(operation);
  }

  /** Tables that were filled by recovery take no more pairs than others, and are not used again. */
  void endReplay() {
    replayed = views.peek().tables;
    replayed.forEach(table -> table.limit(settings.tablePairs()));
  }

  private boolean isInline(Operation operation) {
    return operation.kind() != Operation.MOVE && operation.valueLength() <= settings.inlineLimit();
  }

  /** Applies an operation of the log to the active table. One thread at a time does. */
  void apply(Operation operation) {
    if (operation.kind() == Operation.DELETE) {
      add(operation, Entry.TOMBSTONE, operation.memory(), operation.value(), 0);
    } else if (isInline(operation)) {
      add(operation, Entry.VALUE, operation.memory(), operation.value(), operation.valueLength());
    } else {
      Location.write(
          location,
          0,
          operation.segment(),
          operation.value(),
          operation.valueLength(),
          operation.valueChecksum(),
          operation.version());
      add(operation, Entry.PLACE, location, 0, Location.BYTES);
    }
  }

  private void add(Operation operation, int kind, MemorySegment values, long value, int length) {
    views
        .peek()
        .active()
        .add(
            operation.memory(),
            operation.key(),
            operation.keyLength(),
            Entry.word(operation.sequence(), kind),
            values,
            value,
            length);
  }
}
