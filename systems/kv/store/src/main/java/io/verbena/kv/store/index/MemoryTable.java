// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.kv.store.base.Bytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Entries in memory outside of the heap: a skip list that one thread at a time adds to and any
 * number read without a lock. A node is written whole before the link to it is stored with release;
 * readers load links with acquire, so they see all of a node that they reach. Nothing is ever taken
 * out.
 *
 * <p>A node: word (8 bytes), key length (2), height (2), value length (4), links (4 each, in units
 * of 8 bytes), key, value or location. Nodes begin at multiples of 8.
 */
public final class MemoryTable implements AutoCloseable {
  private static final VarHandle LINK = JAVA_INT.varHandle();
  private static final int MAX_HEIGHT = 14;
  private static final int KEY_LENGTH = 8;
  private static final int HEIGHT = 10;
  private static final int VALUE_LENGTH = 12;
  private static final int LINKS = 16;
  private static final int HEAD = 8; // 0 as a link says that there is no node
  private static final int FIRST = HEAD + LINKS + 4 * MAX_HEIGHT;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private volatile int maxPairs;
  private final long[] before = new long[MAX_HEIGHT];
  private long end;
  private int height;
  private volatile int pairs;
  private volatile long lastSequence;

  public MemoryTable(long bytes, int maxPairs) {
    this.memory = arena.allocate(bytes, 64);
    this.maxPairs = maxPairs;
    clear();
  }

  /** Takes all entries out. Nobody may read meanwhile. */
  public void clear() {
    memory.asSlice(0, FIRST).fill((byte) 0);
    end = FIRST;
    height = 1;
    pairs = 0;
  }

  /** Whether entries with these numbers of bytes fit. */
  public boolean hasRoom(int entries, long keyAndValueBytes) {
    long worst = keyAndValueBytes + (long) entries * (LINKS + 4 * MAX_HEIGHT + 16);
    return pairs + entries <= maxPairs && end + worst <= memory.byteSize();
  }

  public int pairs() {
    return pairs;
  }

  /** Changes how many pairs there may be; if there are more, no other one fits. */
  public void limit(int pairs) {
    maxPairs = pairs;
  }

  public long usedBytes() {
    return end;
  }

  /** The sequence number of the last entry; known when no other one comes. */
  public long lastSequence() {
    return lastSequence;
  }

  public void setLastSequence(long sequence) {
    lastSequence = sequence;
  }

  public boolean isEmpty() {
    return pairs == 0;
  }

  /** Adds an entry, for which there is room. */
  public void add(
      MemorySegment keys,
      long key,
      int keyLength,
      long word,
      MemorySegment values,
      long value,
      int valueLength) {
    int levels = randomHeight();
    long node = end;
    long body = node + LINKS + ((4L * levels + 7) & -8);
    memory.set(JAVA_LONG, node, word);
    memory.set(JAVA_SHORT, node + KEY_LENGTH, (short) keyLength);
    memory.set(JAVA_SHORT, node + HEIGHT, (short) levels);
    memory.set(JAVA_INT, node + VALUE_LENGTH, valueLength);
    MemorySegment.copy(keys, key, memory, body, keyLength);
    MemorySegment.copy(values, value, memory, body + keyLength, valueLength);
    end = (body + keyLength + valueLength + 7) & -8;
    link(node, body, keyLength, word, levels);
    pairs = pairs + 1;
  }

  private void link(long node, long key, int keyLength, long word, int levels) {
    while (height < levels) {
      before[height++] = HEAD;
    }
    findBefore(memory, key, keyLength, word);
    for (int level = 0; level < levels; level++) {
      memory.set(JAVA_INT, linkOf(node, level), memory.get(JAVA_INT, linkOf(before[level], level)));
    }
    for (int level = 0; level < levels; level++) {
      // pairs with next(): a thread that sees the link sees the node
      LINK.setRelease(memory, linkOf(before[level], level), (int) (node >>> 3));
    }
  }

  private long findBefore(MemorySegment key, long keyOffset, int keyLength, long word) {
    long at = HEAD;
    for (int level = height - 1; level >= 0; level--) {
      at = lastBefore(at, level, key, keyOffset, keyLength, word);
      before[level] = at;
    }
    return at;
  }

  private long lastBefore(
      long at, int level, MemorySegment key, long offset, int length, long word) {
    for (long next = next(at, level); next != 0; next = next(at, level)) {
      if (!isBefore(next, key, offset, length, word)) {
        break;
      }
      at = next;
    }
    return at;
  }

  private boolean isBefore(long node, MemorySegment key, long offset, int length, long word) {
    int order = Bytes.compare(memory, keyOf(node), keyLength(node), key, offset, length);
    return order != 0 ? order < 0 : Long.compareUnsigned(memory.get(JAVA_LONG, node), word) > 0;
  }

  /**
   * The first node that is not before the key with this word, or 0. Reads no field that the writer
   * changes, and each link once: a node that comes between two looks at the same link may lie
   * before the key.
   */
  private long find(MemorySegment key, long offset, int length, long word) {
    long at = HEAD;
    long next = 0;
    for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
      next = next(at, level);
      while (next != 0 && isBefore(next, key, offset, length, word)) {
        at = next;
        next = next(at, level);
      }
    }
    return next;
  }

  private long next(long node, int level) {
    return ((int) LINK.getAcquire(memory, linkOf(node, level)) & 0xffffffffL) << 3;
  }

  private static long linkOf(long node, int level) {
    return node + LINKS + 4L * level;
  }

  private int keyLength(long node) {
    return memory.get(JAVA_SHORT, node + KEY_LENGTH);
  }

  private long keyOf(long node) {
    return node + LINKS + ((4L * memory.get(JAVA_SHORT, node + HEIGHT) + 7) & -8);
  }

  private static int randomHeight() {
    int bits = ThreadLocalRandom.current().nextInt();
    return Math.min(MAX_HEIGHT, 1 + Integer.numberOfTrailingZeros(bits | 1 << 30) / 2);
  }

  public Cursor cursor() {
    return new Nodes();
  }

  /** Fills {@code found} with the first entry of the key that is not before the word. */
  public boolean get(MemorySegment key, long offset, int length, long word, Found found) {
    long node = find(key, offset, length, word);
    if (node == 0
        || Bytes.compare(memory, keyOf(node), keyLength(node), key, offset, length) != 0) {
      return false;
    }
    long at = memory.get(JAVA_LONG, node);
    found.take(
        at, memory, keyOf(node) + keyLength(node), memory.get(JAVA_INT, node + VALUE_LENGTH));
    return true;
  }

  /** Frees the memory. Nobody may read any more. */
  @Override
  public void close() {
    arena.close();
  }

  private final class Nodes extends Cursor {
    private long node = HEAD;

    Nodes() {
      memory = MemoryTable.this.memory;
    }

    @Override
    public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word) {
      return at(find(key, keyOffset, keyLength, word));
    }

    @Override
    public boolean next() {
      return node != 0 && at(MemoryTable.this.next(node, 0));
    }

    private boolean at(long next) {
      node = next;
      if (next == 0) {
        return false;
      }
      word = memory.get(JAVA_LONG, next);
      key = keyOf(next);
      keyLength = MemoryTable.this.keyLength(next);
      value = key + keyLength;
      valueLength = memory.get(JAVA_INT, next + VALUE_LENGTH);
      return true;
    }
  }
}
