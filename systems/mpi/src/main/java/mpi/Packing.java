// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Messages in arrays of bytes: elements as they are; objects as a message of them, with its length
 * before.
 */
final class Packing {

  private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;

  private Packing() {}

  static int pack(Object from, int offset, int count, Datatype type, byte[] into, int position) {
    if (!type.isOfObjects()) {
      return put(type.layout(from, offset, count, false), into, position);
    }
    Layout message = ObjectMessage.of(from, offset, count, type).layout();
    checkRoom(into, position, LENGTH.byteSize() + message.bytes());
    MemorySegment.ofArray(into).set(LENGTH, position, (int) message.bytes());
    return put(message, into, position + Integer.BYTES);
  }

  private static int put(Layout message, byte[] into, int position) {
    checkRoom(into, position, message.bytes());
    message.gather(0, message.bytes(), MemorySegment.ofArray(into), position);
    return position + (int) message.bytes();
  }

  static int unpack(byte[] from, int position, Object into, int offset, int count, Datatype type) {
    if (!type.isOfObjects()) {
      Layout message = type.layout(into, offset, count, true);
      checkRoom(from, position, message.bytes());
      message.scatter(0, message.bytes(), MemorySegment.ofArray(from), position);
      return position + (int) message.bytes();
    }
    checkRoom(from, position, LENGTH.byteSize());
    int bytes = MemorySegment.ofArray(from).get(LENGTH, position);
    int begin = position + Integer.BYTES;
    MPIException.check(bytes >= 0, "no objects are packed at position %d", position);
    checkRoom(from, begin, bytes);
    ObjectSink.put(
        ObjectMessage.read(from, begin, bytes, MPI.objects()), into, offset, count, type);
    return begin + bytes;
  }

  private static void checkRoom(byte[] array, int position, long bytes) {
    if (position < 0 || position + bytes > array.length) {
      throw new MPIException(
          "%d bytes at position %d of a buffer of %d".formatted(bytes, position, array.length));
    }
  }
}
