// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import java.lang.foreign.MemorySegment;

/** Collects the entries of one block, in order, and lays them out when it is full. */
final class BlockBuilder {
  private final int kind;
  private final int height;
  private final MemorySegment entries = MemorySegment.ofArray(new byte[Block.BYTES]);
  private final int[] starts = new int[Block.BYTES / Block.ENTRY_HEAD];
  private int count;
  private int used;

  BlockBuilder(int kind, int height) {
    this.kind = kind;
    this.height = height;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  boolean fits(int keyLength, int valueLength) {
    int more = Block.SLOT + Block.ENTRY_HEAD + keyLength + valueLength;
    return Block.SLOTS + count * Block.SLOT + used + more <= Block.BYTES;
  }

  void add(
      MemorySegment from,
      long key,
      int keyLength,
      long word,
      MemorySegment values,
      long value,
      int valueLength) {
    entries.set(Bytes.LONG, used, word);
    entries.set(Bytes.SHORT, used + 8, (short) keyLength);
    entries.set(Bytes.SHORT, used + 10, (short) valueLength);
    MemorySegment.copy(from, key, entries, used + Block.ENTRY_HEAD, keyLength);
    MemorySegment.copy(values, value, entries, used + Block.ENTRY_HEAD + keyLength, valueLength);
    starts[count++] = used;
    used += Block.ENTRY_HEAD + keyLength + valueLength;
  }

  MemorySegment memory() {
    return entries;
  }

  long keyOf(int index) {
    return starts[index] + Block.ENTRY_HEAD;
  }

  int keyLengthOf(int index) {
    return Block.keyLength(entries, starts[index]);
  }

  long wordOf(int index) {
    return Block.word(entries, starts[index]);
  }

  /** Lays the block out, without its checksum, and begins the next one. */
  void build(MemorySegment memory, long block) {
    int common = commonLength();
    int base = Block.BYTES - used;
    memory.asSlice(block, Block.BYTES).fill((byte) 0);
    memory.set(JAVA_BYTE, block + Block.KIND, (byte) kind);
    memory.set(JAVA_BYTE, block + Block.HEIGHT, (byte) height);
    memory.set(Bytes.SHORT, block + Block.COUNT, (short) count);
    memory.set(Bytes.SHORT, block + Block.COMMON, (short) common);
    for (int i = 0; i < count; i++) {
      long slot = block + Block.SLOTS + (long) Block.SLOT * i;
      memory.set(
          Bytes.INT, slot, Bytes.prefix(entries, keyOf(i) + common, keyLengthOf(i) - common));
      memory.set(Bytes.SHORT, slot + 4, (short) (base + starts[i]));
    }
    MemorySegment.copy(entries, 0, memory, block + base, used);
    count = 0;
    used = 0;
  }

  private int commonLength() {
    int last = count - 1;
    return Bytes.commonLength(
        entries, keyOf(0), keyLengthOf(0), entries, keyOf(last), keyLengthOf(last));
  }
}
