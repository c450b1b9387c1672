// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that can be told from any other message's bytes, at any offset. */
public final class Pattern {

  private Pattern() {}

  /** The byte at {@code index} of message {@code number}. */
  public static byte at(long number, int index) {
    long mixed = (number * 0x9E37_79B9_7F4A_7C15L + index) * 0xD6E8_FEB8_6659_FD93L;
    return (byte) (mixed >>> 56);
  }

  /** The bytes of message {@code number}. */
  public static byte[] bytes(long number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(number, i);
    }
    return bytes;
  }

  /** Where the bytes differ first from those of message {@code number}; empty if nowhere. */
  public static String difference(long number, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != at(number, i)) {
        return differs(number, i, bytes.length, bytes[i]);
      }
    }
    return "";
  }

  /** As {@link #difference(long, byte[])}, for bytes in memory. */
  public static String difference(long number, MemorySegment segment, long offset, int length) {
    for (int i = 0; i < length; i++) {
      byte found = segment.get(ValueLayout.JAVA_BYTE, offset + i);
      if (found != at(number, i)) {
        return differs(number, i, length, found);
      }
    }
    return "";
  }

  private static String differs(long number, int index, int length, byte found) {
    return "message "
        + number
        + " of "
        + length
        + " bytes differs at byte "
        + index
        + ": "
        + found
        + " instead of "
        + at(number, index);
  }
}
