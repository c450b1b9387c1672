// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Note;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects as a message: how many, a kind, and then one stream of serialized objects; or, if all are
 * arrays of primitive elements or of such arrays, their shapes and then the bytes of all of them,
 * which are taken from where they are.
 *
 * @param layout what travels
 * @param objects how many
 */
record ObjectMessage(Layout layout, int objects) {

  private static final int SERIALIZED = 1;
  private static final int ARRAYS = 2;
  private static final int ABSENT = -1; // in place of a length

  /** What travels beside it, so that a probe sees how many there are. */
  Note note() {
    return new Note(Base.OBJECT.code, objects);
  }

  // ---------------------------------------------------------------- to a message

  /** The objects that {@code count} of a datatype take of a buffer. */
  static ObjectMessage of(@Nullable Object buffer, int offset, int count, Datatype type) {
    Object[] array = array(buffer, offset, count, type);
    int[] places = type.map.elements(offset, count);
    Object[] objects = new Object[places.length];
    for (int i = 0; i < places.length; i++) {
      objects[i] = array[places[i]];
    }
    return of(objects);
  }

  private static ObjectMessage of(@Nullable Object... objects) {
    try {
      return new ObjectMessage(
          areArrays(objects) ? arrays(objects) : serialized(objects), objects.length);
    } catch (IOException | RuntimeException | StackOverflowError e) { // also of their own methods
      throw new MPIException("objects of a message cannot be serialized: " + e, e);
    }
  }

  /** The buffer, if the type lies in it; an empty one if none is needed. */
  static @Nullable Object[] array(@Nullable Object buffer, int offset, int count, Datatype type) {
    MPIException.check(count >= 0, "count is %d, less than 0", count);
    if (count == 0 || type.map.size() == 0) {
      return new Object[0];
    }
    if (!(buffer instanceof Object[] array)) {
      throw new MPIException(
          "a buffer is %s, but an array of objects is needed"
              .formatted(buffer == null ? "null" : "a " + buffer.getClass().getSimpleName()));
    }
    Memory.check(buffer, array.length, offset, count, type);
    return array;
  }

  private static boolean areArrays(@Nullable Object... objects) {
    for (Object each : objects) {
      if (each == null || baseOf(each.getClass()) == null) {
        return false;
      }
    }
    return true;
  }

  /** What an array, or an array of arrays, has at its bottom; null if that is no primitive type. */
  private static @Nullable Base baseOf(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    for (Base base : Base.values()) {
      if (base.component == element && type.isArray()) {
        return base;
      }
    }
    return null;
  }

  private static Layout serialized(@Nullable Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream head = new DataOutputStream(bytes);
    head.writeInt(objects.length);
    head.writeByte(SERIALIZED);
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      for (Object each : objects) {
        stream.writeObject(each);
      }
    }
    return Layout.of(MemorySegment.ofArray(bytes.toByteArray()));
  }

  private static Layout arrays(@Nullable Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream head = new DataOutputStream(bytes);
    List<Layout> parts = new ArrayList<>();
    parts.add(Layout.empty()); // the head's place
    head.writeInt(objects.length);
    head.writeByte(ARRAYS);
    for (Object each : objects) {
      if (each != null) {
        head.writeByte(baseOf(each.getClass()) instanceof Base base ? base.code : 0);
        head.writeByte(each.getClass().descriptorString().lastIndexOf('[') + 1);
        addArray(each, head, parts);
      }
    }
    parts.set(0, Layout.of(MemorySegment.ofArray(bytes.toByteArray())));
    return Layout.joined(parts);
  }

  private static void addArray(@Nullable Object array, DataOutputStream head, List<Layout> parts)
      throws IOException {
    head.writeInt(array == null ? ABSENT : Array.getLength(array));
    if (array instanceof Object[] rows) {
      for (Object row : rows) {
        addArray(row, head, parts);
      }
    } else if (array != null) {
      parts.add(Memory.whole(array));
    }
  }

  // ---------------------------------------------------------------- from a message

  /**
   * The objects of a message.
   *
   * @throws MPIException if they cannot be made, or must not
   */
  static @Nullable Object[] read(byte[] message, int from, int bytes, ObjectFilter filter) {
    ByteArrayInputStream stream = new ByteArrayInputStream(message, from, bytes);
    try {
      DataInputStream head = new DataInputStream(stream);
      int count = head.readInt();
      int kind = head.readByte();
      MPIException.check(
          count >= 0 && count <= bytes && (kind == SERIALIZED || kind == ARRAYS),
          "a message of %d bytes holds no objects: it was sent with another datatype",
          bytes);
      return kind == ARRAYS
          ? new Arrays(head, message, from + bytes, stream).read(count)
          : serialized(stream, count, filter);
    } catch (IOException e) {
      throw new MPIException("objects of a message cannot be read: " + e, e);
    }
  }

  private static @Nullable Object[] serialized(
      ByteArrayInputStream bytes, int count, ObjectFilter filter) throws IOException {
    try (ObjectFilter.Stream stream = new ObjectFilter.Stream(bytes, filter, bytes.available())) {
      Object[] objects = new Object[count];
      try {
        for (int i = 0; i < count; i++) {
          objects[i] = stream.readObject();
        }
      } catch (IOException
          | ClassNotFoundException
          | RuntimeException
          | StackOverflowError e) { // also of their own methods
        throw stream.failure(e);
      }
      return objects;
    }
  }

  /** Reads arrays: all shapes, and then the bytes of all. */
  private record Arrays(DataInputStream head, byte[] message, int end, ByteArrayInputStream rest) {

    Object[] read(int count) throws IOException {
      List<Layout> leaves = new ArrayList<>();
      Object[] objects = new Object[count];
      for (int i = 0; i < count; i++) {
        Class<?> type = component(head.readByte());
        int depth = head.readUnsignedByte();
        for (int d = 1; d < depth; d++) {
          type = type.arrayType();
        }
        objects[i] = array(type, leaves);
      }
      Layout all = Layout.joined(leaves);
      MPIException.check(
          all.bytes() == rest.available(),
          "arrays of %d bytes in a message with %d of them",
          all.bytes(),
          rest.available());
      int from = end - rest.available();
      all.scatter(0, all.bytes(), MemorySegment.ofArray(message), from);
      return objects;
    }

    private static Class<?> component(int code) {
      for (Base base : Base.values()) {
        if (base.code == code && base.component != null) {
          return base.component;
        }
      }
      throw new MPIException("arrays of type %d in a message".formatted(code));
    }

    private @Nullable Object array(Class<?> component, List<Layout> leaves) throws IOException {
      int length = head.readInt();
      if (length == ABSENT) {
        return null;
      }
      MPIException.check(
          length >= 0 && length <= rest.available(),
          "an array of length %d in a message with %d more bytes",
          length,
          rest.available());
      Object made = Array.newInstance(component, length);
      if (made instanceof Object[] rows) {
        for (int i = 0; i < length; i++) {
          rows[i] = array(component.componentType(), leaves);
        }
      } else {
        leaves.add(Memory.whole(made));
      }
      return made;
    }
  }
}
