// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Ranges of bytes: order, hashes, checksums, and the little-endian fields of what is stored. */
public final class Bytes {
  public static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfLong WORD =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  public static int unsignedShort(MemorySegment memory, long offset) {
    return memory.get(SHORT, offset) & 0xffff;
  }

  /** Compares two ranges as unsigned bytes; a prefix comes before what it is a prefix of. */
  public static int compare(
      MemorySegment a, long aOffset, int aLength, MemorySegment b, long bOffset, int bLength) {
    return compareFrom(0, a, aOffset, aLength, b, bOffset, bLength);
  }

  /** As {@link #compare}, of two ranges whose first {@code i} bytes are known to be the same. */
  public static int compareFrom(
      int i,
      MemorySegment a,
      long aOffset,
      int aLength,
      MemorySegment b,
      long bOffset,
      int bLength) {
    int length = Math.min(aLength, bLength);
    for (; i + 8 <= length; i += 8) {
      long x = a.get(WORD, aOffset + i);
      long y = b.get(WORD, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
    }
    for (; i < length; i++) {
      int order = (a.get(JAVA_BYTE, aOffset + i) & 0xff) - (b.get(JAVA_BYTE, bOffset + i) & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return aLength - bLength;
  }

  /** How many bytes two ranges have in common from their start. */
  public static int commonLength(
      MemorySegment a, long aOffset, int aLength, MemorySegment b, long bOffset, int bLength) {
    int length = Math.min(aLength, bLength);
    int i = 0;
    while (i < length && a.get(JAVA_BYTE, aOffset + i) == b.get(JAVA_BYTE, bOffset + i)) {
      i++;
    }
    return i;
  }

  /**
   * The first four bytes of a range as an unsigned number in the order of bytes, zeros behind it.
   */
  public static int prefix(MemorySegment memory, long offset, int length) {
    int prefix = 0;
    for (int i = 0; i < Math.min(4, length); i++) {
      prefix |= (memory.get(JAVA_BYTE, offset + i) & 0xff) << (24 - 8 * i);
    }
    return prefix;
  }

  /** A hash whose bits are all usable. It is stored with filters, so it never changes. */
  public static long hash(MemorySegment memory, long offset, int length) {
    long hash = 0x9e3779b97f4a7c15L ^ length;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = mix(hash ^ memory.get(LONG, offset + i));
    }
    long rest = 0;
    for (int shift = 0; i < length; i++, shift += 8) {
      rest |= (memory.get(JAVA_BYTE, offset + i) & 0xffL) << shift;
    }
    return mix(hash ^ rest);
  }

  private static long mix(long x) {
    x *= 0xbf58476d1ce4e5b9L;
    x ^= x >>> 32;
    x *= 0x94d049bb133111ebL;
    return x ^ (x >>> 29);
  }

  /** The {@link Checksum} of a range. */
  public static int checksum(long where, int offset, MemorySegment bytes) {
    return new Checksum().of(where, offset, bytes.asByteBuffer());
  }
}
