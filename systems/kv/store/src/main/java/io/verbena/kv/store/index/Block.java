// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Checksum;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Segments;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layout of a block of 4 KiB, leaf or inner node: checksum (4 bytes), kind (1), height above
 * the leaves (1), count (2), length of what all keys begin with (2), then a slot for each entry:
 * the next four bytes of its key (4), the entry's offset (2). Entries are packed at the end of the
 * block: word (8), key length (2), value length (2), key, value. The value of an inner node's entry
 * is its child: segment (8), block in it (4).
 *
 * <p>A search compares the four bytes in the slots, and whole keys only where these are the same.
 */
public final class Block {
  public static final int BYTES = 4096;
  public static final int LEAF = 1;
  public static final int INNER = 2;
  public static final int FILTER = 3;
  public static final int HEADER = 4;

  static final int CHILD_BYTES = 12;
  static final int KIND = 4;
  static final int HEIGHT = 5;
  static final int COUNT = 6;
  static final int COMMON = 8;
  static final int SLOTS = 10;
  static final int SLOT = 6;
  static final int ENTRY_HEAD = 12;

  private Block() {}

  public static int kind(MemorySegment memory, long block) {
    return memory.get(JAVA_BYTE, block + KIND);
  }

  public static int count(MemorySegment memory, long block) {
    return Bytes.unsignedShort(memory, block + COUNT);
  }

  /** Where the entry of a slot begins. */
  static long entry(MemorySegment memory, long block, int index) {
    return block + Bytes.unsignedShort(memory, block + SLOTS + (long) SLOT * index + 4);
  }

  static long word(MemorySegment memory, long entry) {
    return memory.get(Bytes.LONG, entry);
  }

  static int keyLength(MemorySegment memory, long entry) {
    return Bytes.unsignedShort(memory, entry + 8);
  }

  static int valueLength(MemorySegment memory, long entry) {
    return Bytes.unsignedShort(memory, entry + 10);
  }

  /**
   * The index of the first entry that is not before the key with this word; the count if there is
   * none.
   */
  static int search(
      MemorySegment memory, long block, MemorySegment key, long offset, int length, long word) {
    int count = count(memory, block);
    int common = Bytes.unsignedShort(memory, block + COMMON);
    if (count > 0 && common > 0) {
      long first = entry(memory, block, 0) + ENTRY_HEAD;
      int same = Bytes.compare(key, offset, Math.min(length, common), memory, first, common);
      if (same != 0) {
        return same < 0 ? 0 : count;
      }
    }
    int prefix = Bytes.prefix(key, offset + common, length - common) + Integer.MIN_VALUE;
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(memory, block, middle, common, prefix, key, offset, length, word)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static boolean isBefore(
      MemorySegment memory,
      long block,
      int index,
      int common,
      int prefix,
      MemorySegment key,
      long offset,
      int length,
      long word) {
    int slot = memory.get(Bytes.INT, block + SLOTS + (long) SLOT * index) + Integer.MIN_VALUE;
    if (slot != prefix) {
      return slot < prefix;
    }
    long entry = entry(memory, block, index);
    int entryKey = keyLength(memory, entry);
    int order =
        Bytes.compareFrom(common, memory, entry + ENTRY_HEAD, entryKey, key, offset, length);
    return order != 0 ? order < 0 : Long.compareUnsigned(word(memory, entry), word) > 0;
  }

  /** Where the child of an inner node's entry stands. */
  static long child(MemorySegment memory, long block, int index) {
    long entry = entry(memory, block, index);
    return entry + ENTRY_HEAD + keyLength(memory, entry);
  }

  /** Writes the checksum of a block that is complete. */
  static void seal(MemorySegment memory, long block, long segment, int number) {
    memory.set(Bytes.INT, block, checksum(memory, block, segment, number));
  }

  private static int checksum(MemorySegment memory, long block, long segment, int number) {
    return checksum(memory.asSlice(block, BYTES).asByteBuffer(), segment, number);
  }

  private static int checksum(ByteBuffer block, long segment, int number) {
    return new Checksum().of(segment, number, block.limit(BYTES).position(4));
  }

  /** Refuses a block that is not what was written at this place. */
  static void check(
      MemorySegment memory, long block, Segments segments, long segment, int number, String lost)
      throws Damage {
    check(memory.asSlice(block, BYTES).asByteBuffer(), segments, segment, number, lost);
  }

  /** As the other one, of a block in a buffer of its own. */
  static void check(ByteBuffer block, Segments segments, long segment, int number, String lost)
      throws Damage {
    int stored = block.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    if (stored != checksum(block, segment, number)) {
      throw new Damage(
          segments.describe(segment),
          (long) number * BYTES,
          "the block's checksum is not that of its bytes; " + lost);
    }
  }
}
