// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.index.Cursor;
import io.verbena.kv.store.index.Entry;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Which entries a tree keeps: of each key the newest one, and of the older ones those that a
 * snapshot sees. Where nothing older can lie below, a tombstone that no snapshot precedes goes,
 * too.
 */
final class Retention {
  private final long[] snapshots;
  private final boolean lowest;
  private final MemorySegment key = MemorySegment.ofArray(new byte[Entry.MAX_KEY]);
  private int keyLength = -1;
  private long newerSequence;

  Retention(long[] snapshots, boolean lowest) {
    this.snapshots = snapshots;
    this.lowest = lowest;
  }

  /** Whether to keep an entry. They are asked for in their order. */
  boolean keeps(Cursor entry) {
    long sequence = Entry.sequence(entry.word);
    boolean newest = keyLength < 0 || entry.compareKey(key, 0, keyLength) != 0;
    boolean kept =
        newest
            ? !(lowest && Entry.kind(entry.word) == Entry.TOMBSTONE && !seenBefore(0, sequence))
            : seenBefore(sequence, newerSequence);
    if (newest) {
      keyLength = entry.keyLength;
      MemorySegment.copy(entry.memory, entry.key, key, 0, keyLength);
    }
    newerSequence = sequence;
    return kept;
  }

  /** Whether there is a snapshot that is not before the first number and before the second. */
  private boolean seenBefore(long from, long to) {
    int at = Arrays.binarySearch(snapshots, from);
    int first = at >= 0 ? at : -at - 1;
    return first < snapshots.length && snapshots[first] < to;
  }
}
