// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.Tree;
import io.verbena.kv.store.log.LogSegment;
import io.verbena.kv.store.log.Recovery;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Reads all of a region, and fails at the first thing that is not as it was written. */
final class Verification {
  private static final int VALUES_AT_ONCE = 10_000;

  private final RegionEngine region;
  private final Segments logFiles;

  Verification(RegionEngine region, Segments logFiles) {
    this.region = region;
    this.logFiles = logFiles;
  }

  /** Files of these segments and trees are there until it returns. */
  void run(List<LogSegment> segments, List<Tree> trees) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment image = arena.allocate(Segments.BYTES, 8);
      for (LogSegment segment : segments) {
        region.checkOpen();
        Recovery.readWhole(logFiles, region.number(), segment, image);
      }
    }
    for (Tree tree : trees) {
      tree.verify(region::checkOpen);
    }
    readValues();
  }

  /** Reads the value of each key. It may take longer than a snapshot lives, so it takes several. */
  private void readValues() throws IOException {
    MemorySegment from = MemorySegment.NULL;
    boolean more = true;
    while (more) {
      Snapshots.Held now = region.snapshot();
      try {
        RegionScan values = new RegionScan(region, now, from, null);
        for (int i = 0; i < VALUES_AT_ONCE && more; i++) {
          more = values.next();
        }
        from = values.last();
      } finally {
        region.release(now);
      }
    }
  }
}
