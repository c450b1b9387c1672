// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.base.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * Where a value lies in the log: 8 bytes for the segment's number, 4 for the offset, 4 for the
 * length, 4 for the value's checksum; and 8 for the version, which is older than the entry when the
 * value was moved.
 */
public final class Location {
  public static final int BYTES = 28;

  private Location() {}

  public static void write(
      MemorySegment memory,
      long at,
      long segment,
      int offset,
      int length,
      int checksum,
      long version) {
    memory.set(Bytes.LONG, at, segment);
    memory.set(Bytes.INT, at + 8, offset);
    memory.set(Bytes.INT, at + 12, length);
    memory.set(Bytes.INT, at + 16, checksum);
    memory.set(Bytes.LONG, at + 20, version);
  }

  public static long segment(MemorySegment memory, long at) {
    return memory.get(Bytes.LONG, at);
  }

  public static int offset(MemorySegment memory, long at) {
    return memory.get(Bytes.INT, at + 8);
  }

  public static long version(MemorySegment memory, long at) {
    return memory.get(Bytes.LONG, at + 20);
  }

  public static int checksum(MemorySegment memory, long at) {
    return memory.get(Bytes.INT, at + 16);
  }

  public static int length(MemorySegment memory, long at) {
    return memory.get(Bytes.INT, at + 12);
  }
}
