// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.log.Log;
import io.verbena.kv.store.log.Operation;
import io.verbena.kv.store.region.Write;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Writes that count together: after a crash all of them are there or none, and no reader sees some
 * without the others. Its keys belong to one region. Of several writes of a key the last one
 * counts. One thread at a time uses a batch; it can be cleared and used again.
 */
public final class Batch {
  private byte[] bytes = new byte[256];
  private int length;
  private int count;
  private boolean deletesOnly = true;
  private long inlineBytes;
  private byte[] firstKey = {};
  private byte[] lastKey = {};

  public Batch put(byte[] key, byte[] value) {
    return put(MemorySegment.ofArray(key), MemorySegment.ofArray(value));
  }

  public Batch put(MemorySegment key, MemorySegment value) {
    Limits.checkKey(key.byteSize());
    Limits.checkValue(value.byteSize());
    deletesOnly = false;
    return add(Operation.PUT, key, value);
  }

  public Batch delete(byte[] key) {
    return delete(MemorySegment.ofArray(key));
  }

  public Batch delete(MemorySegment key) {
    Limits.checkKey(key.byteSize());
    return add(Operation.DELETE, key, MemorySegment.NULL);
  }

  private Batch add(int kind, MemorySegment key, MemorySegment value) {
    int more = Operation.bytes(kind, (int) key.byteSize(), (int) value.byteSize());
    if ((long) length + more > Log.MAX_OPERATIONS_BYTES) {
      throw new IllegalArgumentException(
          "the batch would have "
              + (length + (long) more)
              + " bytes; it may have "
              + Log.MAX_OPERATIONS_BYTES
              + ": write it in parts");
    }
    if (length + more > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, Math.max(length + more, Math.min(2 * length, Log.MAX_OPERATIONS_BYTES)));
    }
    Operation.write(MemorySegment.ofArray(bytes), length, kind, 0, key, value);
    length += more;
    count++;
    inlineBytes +=
        key.byteSize() + Math.clamp(value.byteSize(), Location.BYTES, Limits.MAX_IN_TABLE);
    keepBounds(key.toArray(JAVA_BYTE));
    return this;
  }

  private void keepBounds(byte[] key) {
    if (count == 1 || Arrays.compareUnsigned(key, firstKey) < 0) {
      firstKey = key;
    }
    if (count == 1 || Arrays.compareUnsigned(key, lastKey) > 0) {
      lastKey = key;
    }
  }

  public Batch clear() {
    length = 0;
    count = 0;
    deletesOnly = true;
    inlineBytes = 0;
    return this;
  }

  /** How many writes it holds. */
  public int count() {
    return count;
  }

  /** All of it as it is now. */
  Write write() {
    return new Laid(bytes, length, count, inlineBytes, deletesOnly);
  }

  private record Laid(byte[] operations, int bytes, int count, long tableBytes, boolean isDelete)
      implements Write {
    @Override
    public MemorySegment key() {
      throw new IllegalStateException("a batch has no condition");
    }

    @Override
    public void layOut(MemorySegment memory, long at) {
      MemorySegment.copy(operations, 0, memory, JAVA_BYTE, at, bytes);
    }
  }

  byte[] firstKey() {
    return firstKey;
  }

  byte[] lastKey() {
    return lastKey;
  }
}
