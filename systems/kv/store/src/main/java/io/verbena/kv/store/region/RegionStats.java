// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

/** Numbers of a region; of several, their sums. See {@link io.verbena.kv.store.StoreStats}. */
public record RegionStats(
    long tableEntries,
    long tableBytes,
    long trees,
    long treeEntries,
    long indexBytes,
    long logBytes,
    long liveLogBytes,
    long snapshots,
    long flushes,
    long merges,
    long movedValues,
    long stalls,
    long stallNanos,
    long logBytesWritten,
    long indexBytesWritten) {
  public static final RegionStats NONE =
      new RegionStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  public RegionStats plus(RegionStats more) {
    return new RegionStats(
        tableEntries + more.tableEntries,
        tableBytes + more.tableBytes,
        trees + more.trees,
        treeEntries + more.treeEntries,
        indexBytes + more.indexBytes,
        logBytes + more.logBytes,
        liveLogBytes + more.liveLogBytes,
        snapshots + more.snapshots,
        flushes + more.flushes,
        merges + more.merges,
        movedValues + more.movedValues,
        stalls + more.stalls,
        stallNanos + more.stallNanos,
        logBytesWritten + more.logBytesWritten,
        indexBytesWritten + more.indexBytesWritten);
  }
}
