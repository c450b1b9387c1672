// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.base.Bytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Goes over entries in their order. After {@link #seek} or {@link #next} has said true the fields
 * are those of an entry; they hold until the next call.
 */
public abstract class Cursor {
  public MemorySegment memory = MemorySegment.NULL;
  public long key;
  public int keyLength;
  public long word;
  public long value;
  public int valueLength;

  /** Goes to the first entry that is not before the key with this word. */
  public abstract boolean seek(MemorySegment key, long keyOffset, int keyLength, long word)
      throws IOException;

  public abstract boolean next() throws IOException;

  public final int compareKey(MemorySegment other, long offset, int length) {
    return Bytes.compare(memory, key, keyLength, other, offset, length);
  }

  final int compareTo(Cursor other) {
    int order = compareKey(other.memory, other.key, other.keyLength);
    return order != 0 ? order : Long.compareUnsigned(other.word, word);
  }
}
