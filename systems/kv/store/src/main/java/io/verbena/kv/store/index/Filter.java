// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Planted;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A Bloom filter in blocks: a key's bits lie in one line of 64 bytes of one block, so a question
 * reads one block (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007).
 * With 10 bits and 6 probes a key, about one of a hundred keys that are not there passes.
 */
final class Filter implements AutoCloseable {
  private static final int LINE = 64;
  private static final int LINES = Block.BYTES / LINE - 1; // the first one is the block's head
  private static final int BITS_PER_KEY = 10;
  private static final int PROBES = 6;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int blocks;

  Filter(long keys) {
    blocks =
        Math.toIntExact(Math.max(1, (keys * BITS_PER_KEY / 8 + LINES * LINE - 1) / (LINES * LINE)));
    memory = arena.allocate((long) blocks * Block.BYTES, Block.BYTES);
    for (int i = 0; i < blocks; i++) {
      memory.set(JAVA_BYTE, (long) i * Block.BYTES + Block.KIND, (byte) Block.FILTER);
    }
  }

  int blocks() {
    return blocks;
  }

  MemorySegment block(int index) {
    return memory.asSlice((long) index * Block.BYTES, Block.BYTES);
  }

  void add(long hash) {
    if (Planted.FORGETFUL_FILTER.here() && hash % 64 == 0) {
      return;
    }
    long line = (long) blockOf(hash, blocks) * Block.BYTES + lineOf(hash);
    long bits = bitsOf(hash);
    for (int i = 0; i < PROBES; i++, bits >>>= 9) {
      long at = line + ((bits & 511) >>> 3);
      memory.set(JAVA_BYTE, at, (byte) (memory.get(JAVA_BYTE, at) | 1 << (bits & 7)));
    }
  }

  /** Which of a filter's blocks knows of a key. */
  static int blockOf(long hash, int blocks) {
    return (int) ((hash >>> 32) * blocks >>> 32);
  }

  /** Whether the key may be there, by its block of the filter. */
  static boolean mayHave(MemorySegment memory, long block, long hash) {
    long line = block + lineOf(hash);
    long bits = bitsOf(hash);
    for (int i = 0; i < PROBES; i++, bits >>>= 9) {
      if ((memory.get(JAVA_BYTE, line + ((bits & 511) >>> 3)) >> (bits & 7) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  private static long lineOf(long hash) {
    return LINE + (long) LINE * ((hash & 0xffff) * LINES >>> 16);
  }

  private static long bitsOf(long hash) {
    return hash * 0x9e3779b97f4a7c15L >>> 10;
  }

  @Override
  public void close() {
    arena.close();
  }
}
