// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A tree that is complete. It is read through the cache by look-ups and cursors, past it by
 * scanners.
 */
public final class Tree {
  private final TreeInfo info;
  private final Segments segments;
  private final BlockCache cache;

  public Tree(TreeInfo info, Segments segments, BlockCache cache) {
    this.info = info;
    this.segments = segments;
    this.cache = cache;
  }

  public TreeInfo info() {
    return info;
  }

  /** Fills {@code found} with the first entry of the key that is not before the word. */
  public boolean get(MemorySegment key, long offset, int length, long hash, long word, Found found)
      throws IOException {
    return mayHave(hash) && getFromLeaf(key, offset, length, word, found);
  }

  boolean mayHave(long hash) throws IOException {
    int first = info.blocks() - info.filterBlocks();
    int frame = pin(first + Filter.blockOf(hash, info.filterBlocks()));
    try {
      return Filter.mayHave(cache.memory(), BlockCache.offset(frame), hash);
    } finally {
      cache.unpin(frame);
    }
  }

  private int pin(int block) throws IOException {
    return cache.pin(segments, info.segmentOf(block), TreeInfo.placeOf(block));
  }

  private boolean getFromLeaf(MemorySegment key, long offset, int length, long word, Found found)
      throws IOException {
    MemorySegment memory = cache.memory();
    int frame = pin(info.root());
    try {
      long block = BlockCache.offset(frame);
      for (int height = info.height(); Block.kind(memory, block) == Block.INNER; height--) {
        if (height == 1) {
          throw damage("it has more nodes above each other than " + info.height());
        }
        int index = childFor(memory, block, key, offset, length, word);
        long child = Block.child(memory, block, index);
        long segment = memory.get(Bytes.LONG, child);
        int place = memory.get(Bytes.INT, child + 8);
        cache.unpin(frame);
        frame = -1;
        frame = cache.pin(segments, segment, place);
        block = BlockCache.offset(frame);
      }
      int index = Block.search(memory, block, key, offset, length, word);
      if (index < Block.count(memory, block)) {
        return takeIfSame(memory, Block.entry(memory, block, index), key, offset, length, found);
      }
    } finally {
      if (frame >= 0) {
        cache.unpin(frame);
      }
    }
    return getFromNextLeaf(key, offset, length, word, found);
  }

  /** States of a key may go on in the next leaf. */
  private boolean getFromNextLeaf(
      MemorySegment key, long offset, int length, long word, Found found) throws IOException {
    Cursor cursor = cursor();
    if (!cursor.seek(key, offset, length, word) || cursor.compareKey(key, offset, length) != 0) {
      return false;
    }
    found.take(cursor.word, cursor.memory, cursor.value, cursor.valueLength);
    return true;
  }

  private static boolean takeIfSame(
      MemorySegment memory, long entry, MemorySegment key, long offset, int length, Found found) {
    int keyLength = Block.keyLength(memory, entry);
    long at = entry + Block.ENTRY_HEAD;
    if (Bytes.compare(memory, at, keyLength, key, offset, length) != 0) {
      return false;
    }
    found.take(Block.word(memory, entry), memory, at + keyLength, Block.valueLength(memory, entry));
    return true;
  }

  /** The child whose keys begin at or before the one that is sought. */
  static int childFor(
      MemorySegment memory, long block, MemorySegment key, long offset, int length, long word) {
    int index = Block.search(memory, block, key, offset, length, word);
    boolean same =
        index < Block.count(memory, block)
            && Block.word(memory, Block.entry(memory, block, index)) == word
            && Bytes.compare(
                    memory,
                    Block.entry(memory, block, index) + Block.ENTRY_HEAD,
                    Block.keyLength(memory, Block.entry(memory, block, index)),
                    key,
                    offset,
                    length)
                == 0;
    return same ? index : Math.max(0, index - 1);
  }

  public Cursor cursor() {
    return new TreeCursor(info, segments, cache);
  }

  /** Goes over all entries from the first one, by whole segments and past the cache. */
  public TreeScanner scanner() {
    return new TreeScanner(info, segments, false);
  }

  /** Asked now and then by what takes long; throws to end it. */
  public interface GoAhead {
    void check() throws IOException;
  }

  /**
   * Reads all of the tree, and compares it with what is known of it: checksums, order, how nodes
   * hang together, counts, and that the filter has each key.
   */
  public void verify(GoAhead goAhead) throws IOException {
    long entries = 0;
    long tombstones = 0;
    MemorySegment last = MemorySegment.ofArray(new byte[Entry.MAX_KEY]);
    int lastLength = -1;
    long lastWord = 0;
    Cursor byNodes = cursor();
    boolean more = byNodes.seek(last, 0, 0, Entry.NEWEST);
    try (TreeScanner all = new TreeScanner(info, segments, true)) {
      while (all.next()) {
        goAhead.check();
        if (!more || byNodes.compareTo(all) != 0) {
          throw damage("its nodes do not lead to entry " + entries);
        }
        int order = lastLength < 0 ? 1 : all.compareKey(last, 0, lastLength);
        if (order < 0 || (order == 0 && Long.compareUnsigned(all.word, lastWord) >= 0)) {
          throw damage("entry " + entries + " comes after one that belongs behind it");
        }
        if (order > 0 && !mayHave(Bytes.hash(all.memory, all.key, all.keyLength))) {
          throw damage("its filter does not know the key of entry " + entries);
        }
        MemorySegment.copy(all.memory, all.key, last, 0, all.keyLength);
        lastLength = all.keyLength;
        lastWord = all.word;
        entries++;
        tombstones += Entry.kind(all.word) == Entry.TOMBSTONE ? 1 : 0;
        more = byNodes.next();
      }
    }
    if (more || entries != info.entries() || tombstones != info.tombstones()) {
      throw damage(
          "it has "
              + entries
              + " entries, of these "
              + tombstones
              + " tombstones, instead of "
              + info.entries()
              + " and "
              + info.tombstones());
    }
  }

  private Damage damage(String what) {
    long first = info.segments()[0];
    return new Damage(segments.describe(first), 0, "the tree that begins here is wrong: " + what);
  }
}
