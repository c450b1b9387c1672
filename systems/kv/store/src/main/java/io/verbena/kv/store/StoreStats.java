// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.region.RegionStats;
import java.util.List;

/**
 * Numbers of a store: what it holds, and what it has done since it was opened.
 *
 * @param tableEntries writes in memory that no tree has yet
 * @param tableBytes memory that these take
 * @param trees immutable trees, of all regions
 * @param treeEntries states of keys in them; of a key there may be several
 * @param indexBytes of the trees' files
 * @param logBytes of the log's files
 * @param liveLogBytes of the values in the log that trees lead to, with their keys
 * @param snapshots that hold old states
 * @param flushes of tables
 * @param merges of trees
 * @param movedValues written again to free segments of the log
 * @param stalls writes that have waited for room in memory
 * @param stallNanos how long these have waited
 * @param logBytesWritten with what was moved
 * @param indexBytesWritten with what was merged
 * @param cacheHits blocks of the index that were in memory
 * @param cacheMisses blocks that were read
 * @param cut what the start has cut off logs, as it was not written whole: file, offset, bytes
 */
public record StoreStats(
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
    long indexBytesWritten,
    long cacheHits,
    long cacheMisses,
    List<String> cut) {

  StoreStats(RegionStats of, long cacheHits, long cacheMisses, List<String> cut) {
    this(
        of.tableEntries(),
        of.tableBytes(),
        of.trees(),
        of.treeEntries(),
        of.indexBytes(),
        of.logBytes(),
        of.liveLogBytes(),
        of.snapshots(),
        of.flushes(),
        of.merges(),
        of.movedValues(),
        of.stalls(),
        of.stallNanos(),
        of.logBytesWritten(),
        of.indexBytesWritten(),
        cacheHits,
        cacheMisses,
        cut);
  }
}
