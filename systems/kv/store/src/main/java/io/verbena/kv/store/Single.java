// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.Objects.requireNonNull;

import io.verbena.kv.store.index.Location;
import io.verbena.kv.store.log.Operation;
import io.verbena.kv.store.region.Write;
import java.lang.foreign.MemorySegment;

/** A write of one key. */
interface Single extends Write {
  int kind();

  int keyLength();

  int valueLength();

  @Override
  default int count() {
    return 1;
  }

  @Override
  default int bytes() {
    return Operation.bytes(kind(), keyLength(), valueLength());
  }

  @Override
  default long tableBytes() {
    return keyLength() + Math.clamp(valueLength(), Location.BYTES, Limits.MAX_IN_TABLE);
  }

  @Override
  default boolean isDelete() {
    return kind() == Operation.DELETE;
  }

  /** Key and value in arrays, of which no segments are made: each would take 48 bytes of heap. */
  record OfArrays(int kind, byte[] name, byte[] value) implements Single {
    public OfArrays {
      Limits.checkKey(requireNonNull(name, "key").length);
      Limits.checkValue(requireNonNull(value, "value").length);
    }

    @Override
    public int keyLength() {
      return name.length;
    }

    @Override
    public int valueLength() {
      return value.length;
    }

    @Override
    public MemorySegment key() {
      return MemorySegment.ofArray(name);
    }

    @Override
    public void layOut(MemorySegment memory, long at) {
      long keyAt = Operation.writeHead(memory, at, kind, 0, name.length, value.length);
      MemorySegment.copy(name, 0, memory, JAVA_BYTE, keyAt, name.length);
      MemorySegment.copy(value, 0, memory, JAVA_BYTE, keyAt + name.length, value.length);
    }
  }

  /** Key and value in segments. */
  record OfMemory(int kind, MemorySegment key, MemorySegment value) implements Single {
    public OfMemory {
      Limits.checkKey(key.byteSize());
      Limits.checkValue(value.byteSize());
    }

    @Override
    public int keyLength() {
      return (int) key.byteSize();
    }

    @Override
    public int valueLength() {
      return (int) value.byteSize();
    }

    @Override
    public void layOut(MemorySegment memory, long at) {
      Operation.write(memory, at, kind, 0, key, value);
    }
  }
}
