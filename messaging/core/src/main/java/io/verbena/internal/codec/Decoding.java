// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.IncompatibleMessageException;
import io.verbena.MalformedMessageException;
import io.verbena.internal.event.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods that generated code calls to read. The bytes may be hostile: each count is compared
 * with the bytes that are left before anything is allocated for it.
 */
final class Decoding {

  private Decoding() {}

  // --- fixed length: the caller has checked the room

  static boolean bool(MemorySegment segment, long at, String where) {
    int value = segment.get(Encoding.BYTE, at);
    if ((value & ~1) != 0) {
      throw badValue(where, value & 0xff, "a boolean is 0 or 1");
    }
    return value != 0;
  }

  static @Nullable Enum<?> constant1(
      MemorySegment segment, long at, Enum<?>[] values, String where) {
    return constant(Encoding.getByte(segment, at) & 0xff, values, where);
  }

  static @Nullable Enum<?> constant2(
      MemorySegment segment, long at, Enum<?>[] values, String where) {
    return constant(Encoding.getShort(segment, at) & 0xffff, values, where);
  }

  private static @Nullable Enum<?> constant(int code, Enum<?>[] values, String where) {
    if (code == 0) {
      return null;
    }
    if (code > values.length) {
      throw badValue(where, code, "the enum has " + values.length + " constants");
    }
    return values[code - 1];
  }

  // --- variable length

  /** A presence byte, or the mark of an Optional: 0 to {@code max}. */
  static int mark(Input in, int max, String where) {
    int mark = in.takeByte(where);
    if (mark > max) {
      throw badValue(where, mark, "the limit is " + max);
    }
    return mark;
  }

  /**
   * A count, or -1 for null.
   *
   * @param minBytes the fewest bytes an element can take
   */
  static int count(Input in, int minBytes, String where) {
    int first = in.takeByte(where);
    int stored = first < 0x80 ? first : takeLargeCount(in, first, where);
    // The largest count plus one is 2^31. As an int it wraps, and subtracting one undoes that.
    int count = stored - 1;
    if (count > 0 && (long) count * minBytes > in.remaining()) {
      throw badCount(where, count, minBytes, in.remaining());
    }
    return count;
  }

  private static int takeLargeCount(Input in, int first, String where) {
    long found = largeCount(in.segment, in.step(0), in.remaining(), first, where);
    in.step((int) (found >>> 32));
    return (int) found;
  }

  /**
   * The stored count that starts with {@code first}; the upper half says how many bytes came after
   * that. This method is called seldom and so is not inlined. It must not take the Input, because
   * the JIT could not remove an Input that is passed to it.
   */
  private static long largeCount(
      MemorySegment segment, long at, long left, int first, String where) {
    long stored = first & 0x7f;
    int used = 0;
    int next = 0x80;
    for (int shift = 7; next >= 0x80; shift += 7) {
      if (used >= left) {
        throw truncated(where, 1, 0);
      }
      next = Encoding.getByte(segment, at + used++) & 0xff;
      stored |= (long) (next & 0x7f) << shift;
      if (stored > 1L << 31 || shift > 28) {
        throw malformed(where + " has a count above 2147483647", null);
      }
    }
    if (next == 0) {
      throw malformed(where + " has a count that is not in its shortest form", null);
    }
    return ((long) used << 32) | stored;
  }

  /** How many bytes a text has, or -1 for null; they are known to be there. */
  static int textLength(Input in, String where) {
    return count(in, 1, where);
  }

  static @Nullable String text(MemorySegment segment, long at, int bytes, String where) {
    return bytes < 0 ? null : Text.get(segment, at, bytes, where);
  }

  static @Nullable Boolean boxedBoolean(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : bool(in.segment, in.take(1, where), where);
  }

  static @Nullable Byte boxedByte(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getByte(in.segment, in.take(1, where));
  }

  static @Nullable Short boxedShort(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getShort(in.segment, in.take(2, where));
  }

  static @Nullable Character boxedChar(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getChar(in.segment, in.take(2, where));
  }

  static @Nullable Integer boxedInt(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getInt(in.segment, in.take(4, where));
  }

  static @Nullable Long boxedLong(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getLong(in.segment, in.take(8, where));
  }

  static @Nullable Float boxedFloat(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getFloat(in.segment, in.take(4, where));
  }

  static @Nullable Double boxedDouble(Input in, String where) {
    return mark(in, 1, where) == 0 ? null : Encoding.getDouble(in.segment, in.take(8, where));
  }

  static boolean @Nullable [] booleanArray(Input in, String where) {
    int n = count(in, 1, where);
    if (n < 0) {
      return null;
    }
    long start = in.take(n, where);
    boolean[] array = new boolean[n];
    for (int i = 0; i < n; i++) {
      array[i] = bool(in.segment, start + i, where);
    }
    return array;
  }

  private static void fill(Object array, int n, ValueLayout layout, Input in, String where) {
    long start = in.take(n * (int) layout.byteSize(), where);
    MemorySegment.copy(in.segment, layout, start, array, 0, n);
  }

  static byte @Nullable [] byteArray(Input in, String where) {
    int n = count(in, 1, where);
    if (n < 0) {
      return null;
    }
    byte[] array = new byte[n];
    fill(array, n, Encoding.BYTE, in, where);
    return array;
  }

  static short @Nullable [] shortArray(Input in, String where) {
    int n = count(in, 2, where);
    if (n < 0) {
      return null;
    }
    short[] array = new short[n];
    fill(array, n, Encoding.SHORT, in, where);
    return array;
  }

  static char @Nullable [] charArray(Input in, String where) {
    int n = count(in, 2, where);
    if (n < 0) {
      return null;
    }
    char[] array = new char[n];
    fill(array, n, Encoding.CHAR, in, where);
    return array;
  }

  static int @Nullable [] intArray(Input in, String where) {
    int n = count(in, 4, where);
    if (n < 0) {
      return null;
    }
    int[] array = new int[n];
    fill(array, n, Encoding.INT, in, where);
    return array;
  }

  static long @Nullable [] longArray(Input in, String where) {
    int n = count(in, 8, where);
    if (n < 0) {
      return null;
    }
    long[] array = new long[n];
    fill(array, n, Encoding.LONG, in, where);
    return array;
  }

  static float @Nullable [] floatArray(Input in, String where) {
    int n = count(in, 4, where);
    if (n < 0) {
      return null;
    }
    float[] array = new float[n];
    fill(array, n, Encoding.FLOAT, in, where);
    return array;
  }

  static double @Nullable [] doubleArray(Input in, String where) {
    int n = count(in, 8, where);
    if (n < 0) {
      return null;
    }
    double[] array = new double[n];
    fill(array, n, Encoding.DOUBLE, in, where);
    return array;
  }

  /** A list that, unlike {@code List.of}, allows null elements and does not copy. */
  static List<?> list(@Nullable Object[] elements) {
    return Collections.unmodifiableList(Arrays.asList(elements));
  }

  /** A capacity that follows from the bytes that arrived, not from the announced count. */
  static Set<@Nullable Object> newSet(int count) {
    return LinkedHashSet.newLinkedHashSet(Math.min(count, 64));
  }

  static Map<@Nullable Object, @Nullable Object> newMap(int count) {
    return LinkedHashMap.newLinkedHashMap(Math.min(count, 64));
  }

  static void add(Set<@Nullable Object> set, @Nullable Object element, String where) {
    if (!tryAdd(set, element, where)) {
      throw malformed(where + " holds the same element twice (element " + set.size() + ")", null);
    }
  }

  private static boolean tryAdd(Set<@Nullable Object> set, @Nullable Object element, String where) {
    try {
      return set.add(element);
    } catch (RuntimeException e) {
      throw malformed(where + " holds an element whose hashCode or equals threw " + Words.of(e), e);
    }
  }

  static void add(
      Map<@Nullable Object, @Nullable Object> map,
      @Nullable Object key,
      @Nullable Object value,
      String where) {
    if (!tryAdd(map, key, value, where)) {
      throw malformed(where + " holds the same key twice (entry " + map.size() + ")", null);
    }
  }

  private static boolean tryAdd(
      Map<@Nullable Object, @Nullable Object> map,
      @Nullable Object key,
      @Nullable Object value,
      String where) {
    int before = map.size();
    try {
      map.put(key, value);
    } catch (RuntimeException e) {
      throw malformed(where + " holds a key whose hashCode or equals threw " + Words.of(e), e);
    }
    return map.size() > before;
  }

  static Optional<?> present(@Nullable Object value, String where) {
    if (value == null) {
      throw malformed(where + " is an Optional that is present and null", null);
    }
    return Optional.of(value);
  }

  // --- what a peer with another version of the program writes

  /** Skips the components of variable length that only the peer's version has. */
  static void skip(Skip[] values, Input in, String where) {
    Skip.all(values, in, where);
  }

  static @Nullable Enum<?> peersConstant1(
      MemorySegment segment, long at, @Nullable Enum<?>[] values, String where) {
    return peersConstant(Encoding.getByte(segment, at) & 0xff, values, where);
  }

  static @Nullable Enum<?> peersConstant2(
      MemorySegment segment, long at, @Nullable Enum<?>[] values, String where) {
    return peersConstant(Encoding.getShort(segment, at) & 0xffff, values, where);
  }

  private static @Nullable Enum<?> peersConstant(
      int code, @Nullable Enum<?>[] values, String where) {
    if (code == 0) {
      return null;
    }
    if (code > values.length) {
      throw badValue(where, code, "the peer's enum has " + values.length + " constants");
    }
    Enum<?> known = values[code - 1];
    if (known == null) {
      throw incompatible(
          where + " is a constant that only the peer's version of the enum has, number " + code,
          null);
    }
    return known;
  }

  static IncompatibleMessageException unknownOption(String where, int tag) {
    return incompatible(
        where + " is a record that only the peer's version of the interface has, number " + tag,
        null);
  }

  static IncompatibleMessageException constructorRefusedDefault(String where, Throwable thrown) {
    if (thrown instanceof VirtualMachineError error) {
      throw error;
    }
    return incompatible(
        "the constructor of "
            + where
            + " refused its components, of which the peer's version does not write all: "
            + Words.of(thrown),
        thrown);
  }

  /** Values that differ for the peer may be equal here, where a component is skipped. */
  static void addPeers(Set<@Nullable Object> set, @Nullable Object element, String where) {
    if (!tryAdd(set, element, where)) {
      throw incompatible(where + " holds elements that are equal in this version", null);
    }
  }

  static void addPeers(
      Map<@Nullable Object, @Nullable Object> map,
      @Nullable Object key,
      @Nullable Object value,
      String where) {
    if (!tryAdd(map, key, value, where)) {
      throw incompatible(where + " holds keys that are equal in this version", null);
    }
  }

  static IncompatibleMessageException incompatible(String text, @Nullable Throwable cause) {
    IncompatibleMessageException failure = new IncompatibleMessageException(text);
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }

  // --- refusing

  static MalformedMessageException truncated(String where, int wanted, long left) {
    return malformed(
        where + " takes " + wanted + " bytes, but the message has " + left + " left", null);
  }

  static MalformedMessageException leftOver(String where, long left) {
    return malformed(where + " ends " + left + " bytes before the message does", null);
  }

  static MalformedMessageException wrongLength(String where, int length, int fixedLength) {
    return malformed(
        where + " is always " + fixedLength + " bytes long, but the message has " + length, null);
  }

  static MalformedMessageException tooDeep(String where) {
    return malformed(where + " is nested deeper than " + Input.MAX_DEPTH, null);
  }

  static MalformedMessageException constructorThrew(String where, Throwable thrown) {
    if (thrown instanceof VirtualMachineError error) {
      throw error;
    }
    return malformed(
        "the constructor of " + where + " refused its components: " + Words.of(thrown), thrown);
  }

  private static MalformedMessageException badCount(
      String where, int count, int minBytes, long left) {
    return malformed(
        "%s has a count of %d, at %d bytes or more each, but the message has %d bytes left"
            .formatted(where, count, minBytes, left),
        null);
  }

  private static MalformedMessageException badValue(String where, int value, String limit) {
    return malformed(where + " has the value " + value + "; " + limit, null);
  }

  static MalformedMessageException malformed(String text, @Nullable Throwable cause) {
    MalformedMessageException failure = new MalformedMessageException(text);
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }
}
