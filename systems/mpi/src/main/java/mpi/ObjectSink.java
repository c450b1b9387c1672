// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Where a message of objects arrives, of which nobody knows before how long it is. */
final class ObjectSink implements Layout {

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private final @Nullable Object buffer;
  private final int offset;
  private final int count;
  private final Datatype type;

  private byte[] bytes = new byte[0];
  private int length;

  ObjectSink(@Nullable Object buffer, int offset, int count, Datatype type) {
    Object[] unused = ObjectMessage.array(buffer, offset, count, type);
    this.buffer = buffer;
    this.offset = offset;
    this.count = count;
    this.type = type;
  }

  @Override
  public long bytes() {
    return MOST_BYTES;
  }

  @Override
  public void gather(long from, long wanted, MemorySegment to, long at) {
    MemorySegment.copy(MemorySegment.ofArray(bytes), from, to, at, wanted);
  }

  @Override
  public void scatter(long to, long given, MemorySegment source, long at) {
    int end = (int) (to + given);
    if (end > bytes.length) {
      int doubled = (int) Math.min(2L * bytes.length, MOST_BYTES);
      bytes = java.util.Arrays.copyOf(bytes, Math.max(end, doubled));
    }
    MemorySegment.copy(source, at, MemorySegment.ofArray(bytes), to, given);
    length = Math.max(length, end);
  }

  /**
   * Puts the objects of the message into the buffer; none, if there are more than room for them.
   */
  void unpack() {
    if (length > 0) {
      put(ObjectMessage.read(bytes, 0, length, MPI.objects()), buffer, offset, count, type);
    }
  }

  static void put(
      @Nullable Object[] objects, @Nullable Object buffer, int offset, int count, Datatype type) {
    Object[] array = ObjectMessage.array(buffer, offset, count, type);
    int[] places = type.map.elements(offset, count);
    MPIException.check(
        objects.length <= places.length,
        "the message has %d objects, its receive has room for %d",
        objects.length,
        places.length);
    for (int i = 0; i < objects.length; i++) {
      try {
        array[places[i]] = objects[i];
      } catch (ArrayStoreException e) {
        throw new MPIException(
            "a buffer of %s cannot have the %s that a message has"
                .formatted(array.getClass().getSimpleName(), e.getMessage()),
            e);
      }
    }
  }
}
