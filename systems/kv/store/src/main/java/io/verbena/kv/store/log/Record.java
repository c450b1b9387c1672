// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Checksum;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.Entry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The layout of a record, which is one atomic write: checksum (4 bytes), length of its operations
 * (4), sequence number of the first of these (8), the sequence number up to which the log was known
 * to be durable (8), epoch (4), count of operations (4), the operations, zeros up to a multiple of
 * 8. The checksum covers all behind it, and the place. {@link Operation} i of a record has the
 * sequence number of the first one plus i.
 */
public final class Record {
  public static final int HEAD = 32;
  static final int LENGTH = 4;
  static final int SEQUENCE = 8;
  static final int DURABLE = 16;
  static final int EPOCH = 24;
  static final int COUNT = 28;

  private Record() {}

  /** What a record with operations of this length takes in a segment. */
  static int bytes(int operationsLength) {
    return (HEAD + operationsLength + 7) & -8;
  }

  /**
   * @param bytes the same memory
   */
  static void writeHead(
      MemorySegment memory,
      ByteBuffer bytes,
      Checksum checksum,
      long segment,
      int at,
      int length,
      long sequence,
      long durable,
      int count) {
    memory.set(Bytes.INT, at + LENGTH, length);
    memory.set(Bytes.LONG, at + SEQUENCE, sequence);
    memory.set(Bytes.LONG, at + DURABLE, durable);
    memory.set(Bytes.INT, at + EPOCH, (int) (segment >>> Segments.COUNTER_BITS));
    memory.set(Bytes.INT, at + COUNT, count);
    int end = at + bytes(length);
    for (int i = at + HEAD + length; i < end; i++) {
      memory.set(JAVA_BYTE, i, (byte) 0);
    }
    memory.set(Bytes.INT, at, checksum.of(segment, at, bytes.limit(end).position(at + 4)));
  }

  private static int checksum(MemorySegment memory, long segment, int at, int end) {
    return Bytes.checksum(segment, at, memory.asSlice(at + 4, end - at - 4));
  }

  /** The bytes of the record that begins here, or 0 if none does that is whole. */
  static int wholeBytes(MemorySegment memory, long segment, int at, int limit) {
    if (at + HEAD > limit) {
      return 0;
    }
    int length = memory.get(Bytes.INT, at + LENGTH);
    if (length <= 0 || length > limit - at - HEAD) {
      return 0;
    }
    int end = at + bytes(length);
    boolean whole =
        end <= limit
            && memory.get(Bytes.INT, at) == checksum(memory, segment, at, end)
            && operationsFill(memory, at, length);
    return whole ? end - at : 0;
  }

  private static boolean operationsFill(MemorySegment memory, int at, int length) {
    long operation = at + HEAD;
    long end = operation + length;
    for (int i = count(memory, at); i > 0; i--) {
      if (operation + Operation.HEAD > end) {
        return false;
      }
      int kind = memory.get(JAVA_BYTE, operation);
      int keyLength = Bytes.unsignedShort(memory, operation + 1);
      int valueLength = memory.get(Bytes.INT, operation + 3);
      if (kind < Operation.PUT
          || kind > Operation.MOVE
          || keyLength == 0
          || keyLength > Entry.MAX_KEY
          || valueLength < 0) {
        return false;
      }
      operation += Operation.bytes(kind, keyLength, 0) + (long) valueLength;
    }
    return operation == end;
  }

  static long sequence(MemorySegment memory, long at) {
    return memory.get(Bytes.LONG, at + SEQUENCE);
  }

  static long durable(MemorySegment memory, long at) {
    return memory.get(Bytes.LONG, at + DURABLE);
  }

  static int count(MemorySegment memory, long at) {
    return memory.get(Bytes.INT, at + COUNT);
  }

  /** Gives the operations of a record that is whole, and says how many bytes it takes. */
  static int read(Operation operation, long segment, int at, Operations into) throws IOException {
    return readSome(operation, segment, at, count(operation.memory(), at), into);
  }

  /** Gives the first ones of the operations. */
  static int readSome(Operation operation, long segment, int at, int count, Operations into)
      throws IOException {
    MemorySegment memory = operation.memory();
    long sequence = sequence(memory, at);
    int next = at + HEAD;
    for (int i = 0; i < count; i++) {
      next = operation.goTo(segment, next, sequence + i);
      into.operation(operation);
    }
    return bytes(memory.get(Bytes.INT, at + LENGTH));
  }

  /** Takes operations of the log in their order, each before it returns. */
  public interface Operations {
    void operation(Operation operation) throws IOException;
  }
}
