// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings as UTF-8 behind a count of bytes. Text that is all ASCII takes a short way that allocates
 * nothing besides the String.
 *
 * <p>The ways in and out of a String were chosen by measurement with 20 characters. {@code charAt}
 * takes 1.5 to 2 ns a character even in an unrolled loop. {@code getChars} and the deprecated
 * {@code getBytes} are intrinsics that take 3 to 5 ns in all.
 */
final class Text {

  private static final int SCRATCH_BYTES = 1024;
  private static final int SCRATCH_CHARS = 512;
  private static final int SCRATCH_OF_MANY = 64;

  /**
   * Up to this length, overlapping moves of eight bytes are faster than bulk copies, whose cost is
   * mostly fixed, and than loops, which C2 unrolls with a prologue that costs short texts time.
   */
  private static final int LOOPLESS = 32;

  private static final long NOT_ASCII = 0x8080808080808080L;
  private static final long NOT_ASCII_CHARS = 0xff80ff80ff80ff80L;

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
          .withInvokeExactBehavior();

  /**
   * The arrays through which texts go: a String cannot be copied to native memory directly. They
   * are bytes, chars, and the chars as a segment. Nothing here is of a class of this library: a
   * thread that outlives it, as those of an application server do, would keep its class loader.
   */
  private static final ThreadLocal<Object[]> SCRATCH = ThreadLocal.withInitial(Text::newScratch);

  private static final int BYTES = 0;
  private static final int CHARS = 1;
  private static final int CHARS_AS_LONGS = 2;

  /** Of virtual threads there may be millions, which sleep most of the time. */
  private static Object[] newScratch() {
    boolean isOneOfMany = Thread.currentThread().isVirtual();
    char[] chars = new char[isOneOfMany ? SCRATCH_OF_MANY : SCRATCH_CHARS];
    byte[] bytes = new byte[isOneOfMany ? SCRATCH_OF_MANY : SCRATCH_BYTES];
    return new Object[] {bytes, chars, MemorySegment.ofArray(chars)};
  }

  private Text() {}

  // --- measuring

  /** The bytes of count and text. */
  static int length(String text, String where) {
    int bytes = isAscii(text) ? text.length() : utf8Length(text, where);
    return Encoding.plus(bytes, Encoding.lengthOfCount(bytes));
  }

  /** The result of {@link #length} if the text is ASCII, and less than that if it is not. */
  static int asciiLength(String text) {
    return Encoding.plus(text.length(), Encoding.lengthOfCount(text.length()));
  }

  private static boolean isAscii(String text) {
    Object[] scratch = SCRATCH.get();
    char[] chars = (char[]) scratch[CHARS];
    MemorySegment asLongs = (MemorySegment) scratch[CHARS_AS_LONGS];
    int length = text.length();
    for (int from = 0; from < length; from += chars.length) {
      int n = Math.min(chars.length, length - from);
      text.getChars(from, from + n, chars, 0);
      if (!isAscii(chars, asLongs, n)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAscii(char[] chars, MemorySegment asLongs, int n) {
    if (n < 4) {
      return (chars[0] | chars[n / 2] | chars[n - 1]) < 0x80;
    }
    long all = n <= LOOPLESS ? oredLoopless(asLongs, n) : oredLoop(asLongs, n);
    return (all & NOT_ASCII_CHARS) == 0;
  }

  private static long oredLoopless(MemorySegment chars, int n) {
    long all = four(chars, 0) | four(chars, n - 4);
    if (n > 8) {
      all |= four(chars, 4) | four(chars, n - 8);
    }
    if (n > 16) {
      all |= four(chars, 8) | four(chars, 12) | four(chars, n - 16) | four(chars, n - 12);
    }
    return all;
  }

  private static long oredLoop(MemorySegment chars, int n) {
    long all = four(chars, n - 4);
    for (int i = 0; i < n - 4; i += 4) {
      all |= four(chars, i);
    }
    return all;
  }

  private static long four(MemorySegment chars, int index) {
    return chars.get(ValueLayout.JAVA_LONG_UNALIGNED, 2L * index);
  }

  private static int utf8Length(String text, String where) {
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

  /** Refuses half a surrogate pair, for which the JDK would write a question mark. */
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

  // --- writing

  static long put(String text, MemorySegment segment, long at, long end) {
    return isAscii(text)
        ? putAscii(text, segment, at, end)
        : Encoding.putArray(text.getBytes(StandardCharsets.UTF_8), segment, at, end);
  }

  /** Writes a text that is known to be ASCII. */
  @SuppressWarnings("deprecation") // takes the low bytes, and nothing is as fast
  static long putAscii(String text, MemorySegment segment, long at, long end) {
    int length = text.length();
    long start = Encoding.putCount(length, segment, at, end);
    Encoding.room(start, length, end);
    byte[] scratch = scratch(length);
    text.getBytes(0, length, scratch, 0);
    if ((copyOut(scratch, length, segment, start) & NOT_ASCII) != 0) {
      throw Encoding.changed("other", end);
    }
    return start + length;
  }

  private static long copyOut(byte[] scratch, int length, MemorySegment segment, long start) {
    if (length > LOOPLESS) {
      MemorySegment.copy(scratch, 0, segment, Encoding.BYTE, start, length);
      return ored(scratch, length);
    }
    if (length < 8) {
      return copyFewOut(scratch, length, segment, start);
    }
    long all = eightOut(scratch, 0, segment, start);
    all |= eightOut(scratch, length - 8, segment, start);
    if (length > 16) {
      all |= eightOut(scratch, 8, segment, start);
      all |= eightOut(scratch, length - 16, segment, start);
    }
    return all;
  }

  private static long copyFewOut(byte[] scratch, int length, MemorySegment segment, long start) {
    int all = 0;
    for (int i = 0; i < length; i++) {
      all |= scratch[i];
      segment.set(Encoding.BYTE, start + i, scratch[i]);
    }
    return all;
  }

  private static long eightOut(byte[] scratch, int index, MemorySegment segment, long start) {
    long eight = (long) EIGHT.get(scratch, index);
    segment.set(Encoding.LONG, start + index, eight);
    return eight;
  }

  // --- reading

  static String get(MemorySegment segment, long at, int length, String where) {
    if (length == 0) {
      return "";
    }
    byte[] scratch = scratch(length);
    long all = copyIn(segment, at, length, scratch);
    return (all & NOT_ASCII) == 0 ? ascii(scratch, length) : utf8(scratch, length, where);
  }

  private static long copyIn(MemorySegment segment, long at, int length, byte[] scratch) {
    if (length > LOOPLESS) {
      MemorySegment.copy(segment, Encoding.BYTE, at, scratch, 0, length);
      return ored(scratch, length);
    }
    if (length < 8) {
      return copyFewIn(segment, at, length, scratch);
    }
    long all = eightIn(segment, at, scratch, 0) | eightIn(segment, at, scratch, length - 8);
    if (length > 16) {
      all |= eightIn(segment, at, scratch, 8) | eightIn(segment, at, scratch, length - 16);
    }
    return all;
  }

  private static long copyFewIn(MemorySegment segment, long at, int length, byte[] scratch) {
    int all = 0;
    for (int i = 0; i < length; i++) {
      byte one = segment.get(Encoding.BYTE, at + i);
      all |= one;
      scratch[i] = one;
    }
    return all;
  }

  private static long eightIn(MemorySegment segment, long at, byte[] scratch, int index) {
    long eight = segment.get(Encoding.LONG, at + index);
    EIGHT.set(scratch, index, eight);
    return eight;
  }

  private static long ored(byte[] scratch, int length) {
    int last = length - 8;
    long all = (long) EIGHT.get(scratch, last);
    for (int i = 0; i < last; i += 8) {
      all |= (long) EIGHT.get(scratch, i);
    }
    return all;
  }

  @SuppressWarnings("deprecation") // with a high byte of 0 this only copies
  private static String ascii(byte[] scratch, int length) {
    return new String(scratch, 0, 0, length);
  }

  private static String utf8(byte[] scratch, int length, String where) {
    String text = new String(scratch, 0, length, StandardCharsets.UTF_8);
    // The JDK replaces what is not UTF-8, so only valid text is encoded to the same bytes again.
    byte[] back = text.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(back, 0, back.length, scratch, 0, length)) {
      throw Decoding.malformed(where + " holds " + length + " bytes that are not UTF-8", null);
    }
    return text;
  }

  private static byte[] scratch(int length) {
    if (length > SCRATCH_BYTES) {
      return new byte[length];
    }
    byte[] bytes = (byte[]) SCRATCH.get()[BYTES];
    return length <= bytes.length ? bytes : new byte[length];
  }
}
