// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.Entry;
import io.verbena.kv.store.index.Found;
import io.verbena.kv.store.index.MemoryTable;
import io.verbena.kv.store.index.Merge;
import io.verbena.kv.store.index.Tree;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the keys of a region in their order, as they are at a sequence number that a snapshot
 * holds. Between calls it pins neither tables nor files: when there is another view, it goes on
 * behind its last key there.
 */
public final class RegionScan {
  /** So many entries that it does not show are passed over before it lets go of a view. */
  private static final int AT_ONCE = 4096;

  private final RegionEngine region;
  private final Snapshots.Held snapshot;
  private final @Nullable MemorySegment to;
  private MemorySegment last;
  private boolean begun; // whether it goes on behind the last key, not with it
  private @Nullable View seen;
  private Cursor entries = new Merge(List.of());
  private boolean more;
  private Found found = new Found(null);

  /**
   * @param to the first key that does not belong to it; null if there is none
   */
  public RegionScan(
      RegionEngine region,
      Snapshots.Held snapshot,
      MemorySegment from,
      @Nullable MemorySegment to) {
    this.region = region;
    this.snapshot = snapshot;
    this.last = from;
    this.to = to;
  }

  private enum Step {
    FOUND,
    END,
    GO_ON
  }

  /** Goes to the next key, if there is one. */
  public boolean next() throws IOException {
    Step step = Step.GO_ON;
    while (step == Step.GO_ON) {
      step = nextOfView();
    }
    return step == Step.FOUND;
  }

  private Step nextOfView() throws IOException {
    View view = region.views().pin();
    try {
      region.checkOpen();
      if (view != seen) {
        seek(view);
      }
      seen = null; // after a failure it begins anew behind its last key
      Step step = findNext();
      seen = view;
      return step;
    } finally {
      view.unpin();
      region.checkThere(snapshot); // whatever was found: what it needs goes after it has gone
    }
  }

  private void seek(View view) throws IOException {
    List<Cursor> cursors = new ArrayList<>();
    for (MemoryTable table : view.tables) {
      cursors.add(table.cursor());
    }
    for (Tree tree : view.trees) {
      cursors.add(tree.cursor());
    }
    entries = new Merge(cursors);
    long word = begun ? Entry.NEWEST : Entry.upTo(snapshot.sequence);
    more = entries.seek(last, 0, (int) last.byteSize(), word);
    if (begun) {
      skipLast();
    }
  }

  private void skipLast() throws IOException {
    while (more && entries.compareKey(last, 0, (int) last.byteSize()) == 0) {
      more = entries.next();
    }
  }

  /** The newest entry of the next key that the snapshot sees, if that is a value. */
  private Step findNext() throws IOException {
    for (int passed = 0; more && !isBehind(); passed++) {
      if (passed == AT_ONCE) {
        last = keyOfEntry(); // with another view it goes on here
        begun = false;
        return Step.GO_ON;
      }
      if (Entry.sequence(entries.word) > snapshot.sequence) {
        more = entries.next();
        continue;
      }
      last = keyOfEntry();
      begun = true;
      found = new Found(null);
      found.take(entries.word, entries.memory, entries.value, entries.valueLength);
      skipLast();
      if (found.kind() != Entry.TOMBSTONE) {
        region.reader().readValue(found);
        return Step.FOUND;
      }
    }
    return Step.END;
  }

  private boolean isBehind() {
    return to != null && entries.compareKey(to, 0, (int) to.byteSize()) >= 0;
  }

  private MemorySegment keyOfEntry() {
    MemorySegment key = MemorySegment.ofArray(new byte[entries.keyLength]);
    MemorySegment.copy(entries.memory, entries.key, key, 0, entries.keyLength);
    return key;
  }

  /** Where another scan would go on. */
  MemorySegment last() {
    return last;
  }

  /** The key that {@link #next} has gone to. */
  public byte[] key() {
    return (byte[]) last.heapBase().orElseThrow();
  }

  /** Its value and version. */
  public Found found() {
    return found;
  }
}
