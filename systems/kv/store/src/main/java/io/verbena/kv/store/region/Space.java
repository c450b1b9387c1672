// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Refuses writes that need space before there is none for what frees some: deletes, flushes and
 * merges go on below the limit. It looks at the disk when a segment of the log is begun, and at
 * each write that it would refuse.
 */
final class Space {
  private static final long SOME_SEGMENTS = 8L * Segments.BYTES;

  private final Disk disk;
  private final LongSupplier upkeepBytes;
  private volatile boolean low;

  Space(Disk disk, LongSupplier upkeepBytes) {
    this.disk = disk;
    this.upkeepBytes = upkeepBytes;
  }

  void look() {
    try {
      low = disk.usableBytes() < neededBytes();
    } catch (IOException e) {
      low = false; // what is written next tells
    }
  }

  private long neededBytes() {
    return upkeepBytes.getAsLong() + SOME_SEGMENTS;
  }

  /** Whether there is too little of it. */
  boolean isLow() {
    if (low) {
      look();
    }
    return low;
  }

  DiskFullException refusal() {
    return new DiskFullException(
        disk.describe("")
            + " has less than "
            + neededBytes()
            + " bytes left, which merging may need",
        null);
  }
}
