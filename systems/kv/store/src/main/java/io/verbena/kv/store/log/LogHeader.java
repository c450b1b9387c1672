// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

import io.verbena.kv.store.base.Bytes;
import java.lang.foreign.MemorySegment;

/**
 * The first bytes of a log segment: what it is, and which segment of the log comes before it and
 * how long that one became. A segment that was removed, and that a crash of the host has brought
 * back, is no part of that chain.
 */
final class LogHeader {
  static final int BYTES = 64;
  private static final int MAGIC = 0x474f4c56; // "VLOG"
  private static final int FORMAT = 1;
  private static final int CHECKSUM = 60;

  private LogHeader() {}

  static void write(
      MemorySegment memory, int region, long number, long previous, int previousUsed) {
    memory.asSlice(0, BYTES).fill((byte) 0);
    memory.set(Bytes.INT, 0, MAGIC);
    memory.set(Bytes.INT, 4, FORMAT);
    memory.set(Bytes.LONG, 8, number);
    memory.set(Bytes.LONG, 16, previous);
    memory.set(Bytes.INT, 24, region);
    memory.set(Bytes.INT, 28, previousUsed);
    memory.set(Bytes.INT, CHECKSUM, checksum(memory, number));
  }

  static boolean isWhole(MemorySegment memory, int region, long number) {
    return memory.byteSize() >= BYTES
        && memory.get(Bytes.INT, 0) == MAGIC
        && memory.get(Bytes.INT, 4) == FORMAT
        && memory.get(Bytes.LONG, 8) == number
        && memory.get(Bytes.INT, 24) == region
        && memory.get(Bytes.INT, CHECKSUM) == checksum(memory, number);
  }

  static long previous(MemorySegment memory) {
    return memory.get(Bytes.LONG, 16);
  }

  static int previousUsed(MemorySegment memory) {
    return memory.get(Bytes.INT, 28);
  }

  private static int checksum(MemorySegment memory, long number) {
    return Bytes.checksum(number, 0, memory.asSlice(0, CHECKSUM));
  }
}
