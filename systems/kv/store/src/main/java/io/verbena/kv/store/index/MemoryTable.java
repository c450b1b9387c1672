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
 *
 * <p>Behind the nodes lies a hash table with linear probing, which has a link to the newest node of
 * each key. A look-up begins there: to go down the list costs a miss of the processor's cache for
 * every node on the way. Entries of a key are added in the order of their words.
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
  private static final int USUAL_NODE = 96;
  private static final int FEWEST = 16;

  /** Keys that collide with more others are in the list alone: somebody may choose keys so. */
  private static final int MAX_PROBES = 64;

  private final MemorySegment memory;
  private final Runnable free;
  private final int slots; // of the hash table, a power of two
  private final long slotsAt;
  private volatile int maxPairs;
  private final long[] before = new long[MAX_HEIGHT];
  private long end;
  private int height;
  private volatile int pairs;
  private volatile long lastSequence;

  public MemoryTable(long bytes, int maxPairs) {
    this(Arena.ofShared(), bytes, maxPairs);
  }

  private MemoryTable(Arena arena, long bytes, int maxPairs) {
    this(arena.allocate(bytes, 64), maxPairs, arena::close);
  }

  /** In memory that begins at a multiple of 8. @param free is called to give it back */
  public MemoryTable(MemorySegment memory, int maxPairs, Runnable free) {
    long bytes = memory.byteSize();
    this.memory = memory;
    this.free = free;
    this.maxPairs = maxPairs;
    long usual = Math.max(FEWEST, Math.min(maxPairs, bytes / USUAL_NODE));
    this.slots = (int) (2 * Long.highestOneBit(usual * 4 / 3)); // full by three quarters then
    this.slotsAt = (bytes & -8) - 4L * slots;
    clear();
  }

  /** Takes all entries out. Nobody may read meanwhile. */
  public void clear() {
    memory.asSlice(0, FIRST).fill((byte) 0);
    memory.asSlice(slotsAt, 4L * slots).fill((byte) 0);
    end = FIRST;
    height = 1;
    pairs = 0;
  }

  /** Whether entries with these numbers of bytes fit. */
  public boolean hasRoom(int entries, long keyAndValueBytes) {
    long worst = keyAndValueBytes + (long) entries * (LINKS + 4 * MAX_HEIGHT + 16);
    return pairs + entries <= Math.min(maxPairs, slots - slots / 4) && end + worst <= slotsAt;
  }

  public boolean isHalfUsed() {
    return pairs > Math.min(maxPairs, slots - slots / 4) / 2 || end > slotsAt / 2;
  }

  /** For those that {@link #hasRoom} refuses even where it is empty. */
  public String capacity() {
    return "up to "
        + Math.min(maxPairs, slots - slots / 4)
        + " writes, and "
        + slotsAt
        + " bytes, of which each takes "
        + (LINKS + 4 * MAX_HEIGHT + 16)
        + " beside its key and value";
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
    enter(node, body, keyLength);
    pairs = pairs + 1;
  }

  /** The hash table leads to this node from here on, the newest one of its key. */
  private void enter(long node, long key, int keyLength) {
    long slot = slotOf(Bytes.hash(memory, key, keyLength));
    for (int i = 0; i < MAX_PROBES; i++) {
      long other = nodeIn(slot);
      if (other == 0 || isOf(other, memory, key, keyLength)) {
        LINK.setRelease(memory, slot, (int) (node >>> 3)); // it is in the list by now
        return;
      }
      slot = slotAfter(slot);
    }
  }

  private long slotOf(long hash) {
    return slotsAt + 4 * (hash & slots - 1);
  }

  private long slotAfter(long slot) {
    return slot + 4 == slotsAt + 4L * slots ? slotsAt : slot + 4;
  }

  private long nodeIn(long slot) {
    return ((int) LINK.getAcquire(memory, slot) & 0xffffffffL) << 3;
  }

  private boolean isOf(long node, MemorySegment key, long offset, int length) {
    return keyLength(node) == length
        && Bytes.compare(memory, keyOf(node), length, key, offset, length) == 0;
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
  public boolean get(
      MemorySegment key, long offset, int length, long hash, long word, Found found) {
    long slot = slotOf(hash);
    long node = nodeIn(slot);
    int probes = 1;
    while (node != 0 && probes < MAX_PROBES && !isOf(node, key, offset, length)) {
      slot = slotAfter(slot);
      node = nodeIn(slot);
      probes++;
    }
    if (node == 0) {
      return false;
    }
    if (!isOf(node, key, offset, length)
        || Long.compareUnsigned(memory.get(JAVA_LONG, node), word) > 0) {
      node = find(key, offset, length, word); // it is not in the hash table, or has newer entries
      if (node == 0 || !isOf(node, key, offset, length)) {
        return false;
      }
    }
    long value = keyOf(node) + length;
    found.take(
        memory.get(JAVA_LONG, node), memory, value, memory.get(JAVA_INT, node + VALUE_LENGTH));
    return true;
  }

  /** Frees the memory. Nobody may read any more. */
  @Override
  public void close() {
    free.run();
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
