// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.MessageTooLargeException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The methods that generated code calls to measure and to write. A method that writes takes the
 * value, its offset and the end of the claimed range. It returns the offset behind the value, and
 * writes nothing beyond the end.
 */
final class Encoding {

  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  // MemorySegment.get and set come to the same, by way of one call more. A reply that is sent in a
  // handler is deep within what the JIT makes one piece of, close to the depth at which it stops.
  private static final VarHandle BYTE_AT = BYTE.varHandle();
  private static final VarHandle SHORT_AT = SHORT.varHandle();
  private static final VarHandle CHAR_AT = CHAR.varHandle();
  private static final VarHandle INT_AT = INT.varHandle();
  private static final VarHandle LONG_AT = LONG.varHandle();
  private static final VarHandle FLOAT_AT = FLOAT.varHandle();
  private static final VarHandle DOUBLE_AT = DOUBLE.varHandle();

  private Encoding() {}

  // --- measuring

  static int plus(int sum, int more) {
    int total = sum + more;
    if (total < 0) {
      throw new MessageTooLargeException(
          "the message takes more than 2147483647 bytes, which no message can");
    }
    return total;
  }

  static int deeper(int depth, String where) {
    if (depth >= Input.MAX_DEPTH) {
      throw new IllegalArgumentException(
          where + " is nested deeper than " + Input.MAX_DEPTH + "; send it in a flatter form");
    }
    return depth + 1;
  }

  /** The bytes of a count: 7 bits in each, of the count plus one. */
  static int lengthOfCount(int count) {
    return count < 127 ? 1 : lengthOfLargeCount(count + 1);
  }

  private static int lengthOfLargeCount(int stored) {
    return (38 - Integer.numberOfLeadingZeros(stored)) / 7;
  }

  static int lengthOfBox(@Nullable Object value, int sizeBytes) {
    return value == null ? 1 : 1 + sizeBytes;
  }

  static int lengthOfText(@Nullable String value, String where) {
    return value == null ? 1 : plus(0, Text.length(value, where));
  }

  static int lengthOfAscii(@Nullable String value, String where) {
    return value == null ? 1 : Text.asciiLength(value);
  }

  static int lengthOfArray(int elements, int sizeBytes) {
    long length = lengthOfCount(elements) + (long) elements * sizeBytes;
    return length > Integer.MAX_VALUE ? plus(Integer.MAX_VALUE, 1) : (int) length;
  }

  static int lengthOf(boolean @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 1);
  }

  static int lengthOf(byte @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 1);
  }

  static int lengthOf(short @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 2);
  }

  static int lengthOf(char @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 2);
  }

  static int lengthOf(int @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 4);
  }

  static int lengthOf(long @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 8);
  }

  static int lengthOf(float @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 4);
  }

  static int lengthOf(double @Nullable [] value) {
    return value == null ? 1 : lengthOfArray(value.length, 8);
  }

  /** The list itself if {@code get} is cheap, else a copy. */
  static List<?> indexed(List<?> list) {
    return list instanceof RandomAccess ? list : Arrays.asList(list.toArray());
  }

  // --- checking while writing

  /** Checks that {@code bytes} still fit; they do not if the message changed meanwhile. */
  static void room(long position, int bytes, long end) {
    if (end - position < bytes) {
      throw changed("more", end);
    }
  }

  static void finish(long position, long end) {
    if (position != end) {
      throw changed("fewer", end);
    }
  }

  static void sameCount(int announced, int written, String where) {
    if (announced != written) {
      throw new IllegalStateException(
          "%s has size() %d but %d elements: was it changed while it was being sent?"
              .formatted(where, announced, written));
    }
  }

  static IllegalStateException changed(String how, long end) {
    return new IllegalStateException(
        ("the message takes %s bytes than were claimed for it, up to offset %d: was it changed"
                + " while it was being sent?")
            .formatted(how, end));
  }

  static IllegalArgumentException notAnOption(Object value, String where) {
    return new IllegalArgumentException(where + " does not permit a " + value.getClass().getName());
  }

  // --- fixed length: the caller has checked the room

  static void put(boolean value, MemorySegment segment, long at) {
    BYTE_AT.set(segment, at, (byte) (value ? 1 : 0));
  }

  static void put(byte value, MemorySegment segment, long at) {
    BYTE_AT.set(segment, at, value);
  }

  static void put(short value, MemorySegment segment, long at) {
    SHORT_AT.set(segment, at, value);
  }

  static void put(char value, MemorySegment segment, long at) {
    CHAR_AT.set(segment, at, value);
  }

  static void put(int value, MemorySegment segment, long at) {
    INT_AT.set(segment, at, value);
  }

  static void put(long value, MemorySegment segment, long at) {
    LONG_AT.set(segment, at, value);
  }

  static void put(float value, MemorySegment segment, long at) {
    FLOAT_AT.set(segment, at, value);
  }

  static void put(double value, MemorySegment segment, long at) {
    DOUBLE_AT.set(segment, at, value);
  }

  static void putConstant1(@Nullable Enum<?> value, MemorySegment segment, long at) {
    BYTE_AT.set(segment, at, (byte) codeOf(value));
  }

  static void putConstant2(@Nullable Enum<?> value, MemorySegment segment, long at) {
    SHORT_AT.set(segment, at, (short) codeOf(value));
  }

  @SuppressWarnings("EnumOrdinal") // the type description lists constants in this order
  private static int codeOf(@Nullable Enum<?> value) {
    return value == null ? 0 : value.ordinal() + 1;
  }

  static byte getByte(MemorySegment segment, long at) {
    return (byte) BYTE_AT.get(segment, at);
  }

  static short getShort(MemorySegment segment, long at) {
    return (short) SHORT_AT.get(segment, at);
  }

  static char getChar(MemorySegment segment, long at) {
    return (char) CHAR_AT.get(segment, at);
  }

  static int getInt(MemorySegment segment, long at) {
    return (int) INT_AT.get(segment, at);
  }

  static long getLong(MemorySegment segment, long at) {
    return (long) LONG_AT.get(segment, at);
  }

  static float getFloat(MemorySegment segment, long at) {
    return (float) FLOAT_AT.get(segment, at);
  }

  static double getDouble(MemorySegment segment, long at) {
    return (double) DOUBLE_AT.get(segment, at);
  }

  // --- variable length

  /** A presence byte, a mark or a tag. */
  static long putMark(int mark, MemorySegment segment, long at, long end) {
    room(at, 1, end);
    segment.set(BYTE, at, (byte) mark);
    return at + 1;
  }

  static long putCount(int count, MemorySegment segment, long at, long end) {
    return count < 127
        ? putMark(count + 1, segment, at, end)
        : putLargeCount(count + 1, segment, at, end);
  }

  private static long putLargeCount(int stored, MemorySegment segment, long at, long end) {
    int rest = stored;
    long position = at;
    while (rest >>> 7 != 0) {
      position = putMark((rest & 0x7f) | 0x80, segment, position, end);
      rest >>>= 7;
    }
    return putMark(rest, segment, position, end);
  }

  static long putText(@Nullable String value, MemorySegment segment, long at, long end) {
    return value == null ? putMark(0, segment, at, end) : Text.put(value, segment, at, end);
  }

  static long putAscii(@Nullable String value, MemorySegment segment, long at, long end) {
    return value == null ? putMark(0, segment, at, end) : Text.putAscii(value, segment, at, end);
  }

  /** Writes a presence byte and returns the offset of the value. */
  private static long putPresent(int sizeBytes, MemorySegment segment, long at, long end) {
    room(at, 1 + sizeBytes, end);
    segment.set(BYTE, at, (byte) 1);
    return at + 1;
  }

  static long putBox(@Nullable Boolean value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(1, segment, at, end));
    return at + 2;
  }

  static long putBox(@Nullable Byte value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(1, segment, at, end));
    return at + 2;
  }

  static long putBox(@Nullable Short value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(2, segment, at, end));
    return at + 3;
  }

  static long putBox(@Nullable Character value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(2, segment, at, end));
    return at + 3;
  }

  static long putBox(@Nullable Integer value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(4, segment, at, end));
    return at + 5;
  }

  static long putBox(@Nullable Long value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(8, segment, at, end));
    return at + 9;
  }

  static long putBox(@Nullable Float value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(4, segment, at, end));
    return at + 5;
  }

  static long putBox(@Nullable Double value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    put(value, segment, putPresent(8, segment, at, end));
    return at + 9;
  }

  private static long putArray(
      @Nullable Object array,
      int elements,
      ValueLayout layout,
      MemorySegment segment,
      long at,
      long end) {
    if (array == null) {
      return putMark(0, segment, at, end);
    }
    long start = putCount(elements, segment, at, end);
    long bytes = elements * layout.byteSize();
    if (end - start < bytes) {
      throw changed("more", end);
    }
    MemorySegment.copy(array, 0, segment, layout, start, elements);
    return start + bytes;
  }

  static long putArray(boolean @Nullable [] value, MemorySegment segment, long at, long end) {
    if (value == null) {
      return putMark(0, segment, at, end);
    }
    long start = putCount(value.length, segment, at, end);
    room(start, value.length, end);
    for (int i = 0; i < value.length; i++) {
      put(value[i], segment, start + i);
    }
    return start + value.length;
  }

  static long putArray(byte @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, BYTE, segment, at, end);
  }

  static long putArray(short @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, SHORT, segment, at, end);
  }

  static long putArray(char @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, CHAR, segment, at, end);
  }

  static long putArray(int @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, INT, segment, at, end);
  }

  static long putArray(long @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, LONG, segment, at, end);
  }

  static long putArray(float @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, FLOAT, segment, at, end);
  }

  static long putArray(double @Nullable [] value, MemorySegment segment, long at, long end) {
    return putArray(value, value == null ? 0 : value.length, DOUBLE, segment, at, end);
  }
}
