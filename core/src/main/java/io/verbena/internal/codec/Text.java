// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Strings as UTF-8 behind a count of bytes; text that is all ASCII goes the short way. */
final class Text {

  private static final int SCRATCH_BYTES = 1024;

  /** Between a String and native memory there is no way but through a byte[]. */
  private static final ThreadLocal<byte[]> SCRATCH =
      ThreadLocal.withInitial(() -> new byte[SCRATCH_BYTES]);

  private Text() {}

  /** The bytes of count and text. */
  static int length(String text, String where) {
    int bytes = utf8Length(text, where);
    return Encoding.plus(bytes, Encoding.lengthOfCount(bytes));
  }

  private static int utf8Length(String text, String where) {
    return isAscii(text) ? text.length() : utf8LengthOfAny(text, where);
  }

  private static boolean isAscii(String text) {
    int all = 0;
    for (int i = 0; i < text.length(); i++) {
      all |= text.charAt(i);
    }
    return all < 0x80;
  }

  private static int utf8LengthOfAny(String text, String where) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        requirePair(text, i, where);
        i++;
        bytes += 4;
      } else {
        bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      }
    }
    return bytes > Integer.MAX_VALUE ? Encoding.plus(Integer.MAX_VALUE, 1) : (int) bytes;
  }

  /** The JDK would write a question mark for it, and what arrives would not be what was sent. */
  private static void requirePair(String text, int i, String where) {
    boolean pair =
        Character.isHighSurrogate(text.charAt(i))
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1));
    if (!pair) {
      throw new IllegalArgumentException(
          where + " holds half a surrogate pair at index " + i + ", which UTF-8 cannot express");
    }
  }

  static long put(String text, MemorySegment segment, long at, long end) {
    if (isAscii(text)) {
      return putAscii(text, segment, at, end);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Encoding.putArray(bytes, segment, at, end);
  }

  @SuppressWarnings("deprecation") // the low bytes are what is wanted, and nothing is as fast
  private static long putAscii(String text, MemorySegment segment, long at, long end) {
    int length = text.length();
    long start = Encoding.putCount(length, segment, at, end);
    Encoding.room(start, length, end);
    byte[] scratch = scratch(length);
    text.getBytes(0, length, scratch, 0);
    MemorySegment.copy(scratch, 0, segment, Encoding.BYTE, start, length);
    return start + length;
  }

  @SuppressWarnings("deprecation") // with a high byte of 0 this is a copy and nothing else
  static String get(MemorySegment segment, long at, int length, String where) {
    if (length == 0) {
      return "";
    }
    byte[] scratch = scratch(length);
    MemorySegment.copy(segment, Encoding.BYTE, at, scratch, 0, length);
    if (isAscii(segment, at, length)) {
      return new String(scratch, 0, 0, length);
    }
    return utf8(scratch, length, where);
  }

  private static boolean isAscii(MemorySegment segment, long at, int length) {
    long all = 0;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      all |= segment.get(Encoding.LONG, at + i);
    }
    for (; i < length; i++) {
      all |= segment.get(Encoding.BYTE, at + i);
    }
    return (all & 0x8080808080808080L) == 0;
  }

  private static String utf8(byte[] scratch, int length, String where) {
    String text = new String(scratch, 0, length, StandardCharsets.UTF_8);
    // The JDK replaces what is not UTF-8; only what is comes back as the same bytes.
    byte[] back = text.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(back, 0, back.length, scratch, 0, length)) {
      throw Decoding.malformed(where + " holds " + length + " bytes that are not UTF-8", null);
    }
    return text;
  }

  private static byte[] scratch(int length) {
    return length <= SCRATCH_BYTES ? SCRATCH.get() : new byte[length];
  }
}
