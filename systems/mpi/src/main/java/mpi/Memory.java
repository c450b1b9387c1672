// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The memory that a program gives as a buffer of primitive elements. */
final class Memory {

  /** Never runs: what it may use all threads may. */
  private static final Thread ANY_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private Memory() {}

  /**
   * The part of a buffer that {@code count} of a datatype take, as a message.
   *
   * @param isWritten whether it receives
   * @throws MPIException if the buffer is of another kind, too short, or may not be used so
   */
  static Layout layout(
      @Nullable Object buffer, int offset, int count, Datatype type, boolean isWritten) {
    if (count == 0 || type.map.size() == 0) {
      return Layout.empty();
    }
    Base base = type.base;
    MemorySegment segment = segment(buffer, base);
    if (segment != null) {
      check(buffer, segment.byteSize() / base.bytes, offset, count, type);
      return ofSegment(segment, offset, count, type);
    }
    if (buffer instanceof boolean[] array && base == Base.BOOLEAN) {
      check(buffer, array.length, offset, count, type);
      return ofLayout(new Booleans(array), offset, count, type);
    }
    return other(buffer, offset, count, type, isWritten);
  }

  private static Layout ofSegment(MemorySegment segment, int offset, int count, Datatype type) {
    TypeMap map = type.map;
    int bytes = type.base.bytes;
    if (!map.isDense()) {
      return new Strided(new Blocks.OfSegment(segment), map, offset, count, bytes);
    }
    long first = (offset + map.lowest()) * bytes;
    long length = map.size() * count * bytes;
    boolean isWhole = first == 0 && length == segment.byteSize();
    return Layout.of(isWhole ? segment : segment.asSlice(first, length));
  }

  private static Layout ofLayout(Layout memory, int offset, int count, Datatype type) {
    TypeMap map = type.map;
    int bytes = type.base.bytes;
    if (!map.isDense()) {
      return new Strided(new Blocks.Of(memory), map, offset, count, bytes);
    }
    return memory.section((offset + map.lowest()) * bytes, map.size() * count * bytes);
  }

  /** Whether what is touched lies in the buffer. */
  static void check(@Nullable Object buffer, long elements, int offset, int count, Datatype type) {
    TypeMap map = type.map;
    long last = offset + (count - 1L) * map.extent();
    long lowest = Math.min(offset, last) + map.lowest();
    long highest = Math.max(offset, last) + map.highest();
    if (lowest < 0 || highest > elements) {
      throw new MPIException(
          "elements %d to %d of a buffer of %d %s: %d times %s from offset %d"
              .formatted(lowest, highest - 1, elements, type.base, count, type, offset));
    }
  }

  /** An array of the base type in one piece; null if it is something else. */
  private static @Nullable MemorySegment segment(@Nullable Object buffer, Base base) {
    return switch (base) {
      case BYTE, PACKED -> buffer instanceof byte[] array ? MemorySegment.ofArray(array) : null;
      case CHAR -> buffer instanceof char[] array ? MemorySegment.ofArray(array) : null;
      case SHORT -> buffer instanceof short[] array ? MemorySegment.ofArray(array) : null;
      case INT -> buffer instanceof int[] array ? MemorySegment.ofArray(array) : null;
      case LONG -> buffer instanceof long[] array ? MemorySegment.ofArray(array) : null;
      case FLOAT -> buffer instanceof float[] array ? MemorySegment.ofArray(array) : null;
      case DOUBLE -> buffer instanceof double[] array ? MemorySegment.ofArray(array) : null;
      case BOOLEAN, OBJECT, NONE, NULL -> null;
    };
  }

  private static Layout other(
      @Nullable Object buffer, int offset, int count, Datatype type, boolean isWritten) {
    MemorySegment segment = null;
    if (buffer instanceof MemorySegment given) {
      segment = given;
    } else if (buffer instanceof Buffer nio) {
      segment = ofBuffer(nio, type.base);
    }
    if (segment != null) {
      checkUse(segment, isWritten);
      check(buffer, segment.byteSize() / type.base.bytes, offset, count, type);
      return ofSegment(segment, offset, count, type);
    }
    if (buffer instanceof Object[] rows && isArrayOfArrays(rows, type.base)) {
      List<Layout> leaves = new ArrayList<>();
      addLeaves(rows, type.base, leaves);
      Layout parts = Layout.joined(leaves);
      check(buffer, parts.bytes() / type.base.bytes, offset, count, type);
      return ofLayout(parts, offset, count, type);
    }
    throw new MPIException(
        "a buffer is %s, but %s are needed"
            .formatted(buffer == null ? "null" : "a " + name(buffer), type.base));
  }

  private static String name(Object buffer) {
    return buffer.getClass().getSimpleName();
  }

  private static void checkUse(MemorySegment segment, boolean isWritten) {
    MPIException.check(
        !(isWritten && segment.isReadOnly()), "a buffer that receives can only be read");
    MPIException.check(
        segment.isAccessibleBy(ANY_THREAD),
        "a segment of one thread alone: use one of a shared or automatic arena");
    MPIException.check(segment.scope().isAlive(), "a segment whose arena is closed");
  }

  // ---------------------------------------------------------------- NIO

  private static MemorySegment ofBuffer(Buffer nio, Base base) {
    Class<?> component = componentOf(nio);
    ByteOrder order = orderOf(nio);
    MPIException.check(
        nio instanceof ByteBuffer || component == base.component,
        "a buffer has elements of type %s, but %s are needed",
        component,
        base);
    MPIException.check(
        base.bytes == 1 || order == ByteOrder.nativeOrder(),
        "a buffer has %s order, but %s have the machine's, %s: set order(ByteOrder.nativeOrder())",
        order,
        base,
        ByteOrder.nativeOrder());
    try {
      return MemorySegment.ofBuffer(nio);
    } catch (IllegalArgumentException e) {
      throw new MPIException("a buffer of text, as CharBuffer.wrap(text) gives it: copy it", e);
    }
  }

  private static Class<?> componentOf(Buffer nio) {
    return switch (nio) {
      case ByteBuffer bytes -> byte.class;
      case CharBuffer chars -> char.class;
      case ShortBuffer shorts -> short.class;
      case IntBuffer ints -> int.class;
      case LongBuffer longs -> long.class;
      case FloatBuffer floats -> float.class;
      case DoubleBuffer doubles -> double.class;
    };
  }

  private static ByteOrder orderOf(Buffer nio) {
    return switch (nio) {
      case ByteBuffer bytes -> bytes.order();
      case CharBuffer chars -> chars.order();
      case ShortBuffer shorts -> shorts.order();
      case IntBuffer ints -> ints.order();
      case LongBuffer longs -> longs.order();
      case FloatBuffer floats -> floats.order();
      case DoubleBuffer doubles -> doubles.order();
    };
  }

  // ---------------------------------------------------------------- arrays of arrays

  private static boolean isArrayOfArrays(Object[] rows, Base base) {
    Class<?> leaf = rows.getClass();
    while (leaf.isArray()) {
      leaf = leaf.componentType();
    }
    return base.component != null && leaf == base.component;
  }

  /** The arrays at the bottom, in their order. */
  private static void addLeaves(Object[] rows, Base base, List<Layout> leaves) {
    for (int i = 0; i < rows.length; i++) {
      switch (rows[i]) {
        case null -> throw new MPIException("row %d of an array of arrays is null".formatted(i));
        case Object[] deeper -> addLeaves(deeper, base, leaves);
        case Object row -> leaves.add(whole(row));
      }
    }
  }

  /** An array of primitive elements as it is. */
  static Layout whole(Object array) {
    return switch (array) {
      case byte[] bytes -> Layout.of(MemorySegment.ofArray(bytes));
      case char[] chars -> Layout.of(MemorySegment.ofArray(chars));
      case short[] shorts -> Layout.of(MemorySegment.ofArray(shorts));
      case int[] ints -> Layout.of(MemorySegment.ofArray(ints));
      case long[] longs -> Layout.of(MemorySegment.ofArray(longs));
      case float[] floats -> Layout.of(MemorySegment.ofArray(floats));
      case double[] doubles -> Layout.of(MemorySegment.ofArray(doubles));
      case boolean[] booleans -> new Booleans(booleans);
      default -> throw new MPIException("a " + name(array) + " is no array of primitive elements");
    };
  }
}
