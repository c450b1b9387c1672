// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A place in a tree, with a copy of its leaf: between calls it holds no block of the cache. The way
 * from the root is kept as blocks and indices, so that the next leaf is found without a search.
 */
final class TreeCursor extends Cursor {
  private final TreeInfo info;
  private final Segments segments;
  private final BlockCache cache;
  private final long[] segmentAt;
  private final int[] placeAt;
  private final int[] indexAt; // of the child that was taken
  private int index = -1;

  TreeCursor(TreeInfo info, Segments segments, BlockCache cache) {
    this.info = info;
    this.segments = segments;
    this.cache = cache;
    this.segmentAt = new long[info.height()];
    this.placeAt = new int[info.height()];
    this.indexAt = new int[info.height()];
    memory = MemorySegment.ofArray(new byte[Block.BYTES]);
  }

  @Override
  public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word)
      throws IOException {
    int top = info.height() - 1;
    segmentAt[top] = info.segmentOf(info.root());
    placeAt[top] = TreeInfo.placeOf(info.root());
    for (int height = top; height > 0; height--) {
      int frame = cache.pin(segments, segmentAt[height], placeAt[height]);
      long block = BlockCache.offset(frame);
      int child = Tree.childFor(cache.memory(), block, key, keyOffset, keyLength, word);
      enterChild(height, block, child);
      cache.unpin(frame);
    }
    copyLeaf();
    index = Block.search(memory, 0, key, keyOffset, keyLength, word) - 1;
    return next();
  }

  private void enterChild(int height, long block, int child) {
    long at = Block.child(cache.memory(), block, child);
    indexAt[height] = child;
    segmentAt[height - 1] = cache.memory().get(Bytes.LONG, at);
    placeAt[height - 1] = cache.memory().get(Bytes.INT, at + 8);
  }

  private void copyLeaf() throws IOException {
    int frame = cache.pin(segments, segmentAt[0], placeAt[0]);
    MemorySegment.copy(cache.memory(), BlockCache.offset(frame), memory, 0, Block.BYTES);
    cache.unpin(frame);
  }

  @Override
  public boolean next() throws IOException {
    if (index + 1 >= Block.count(memory, 0)) {
      if (!nextLeaf()) {
        index = Block.count(memory, 0);
        return false;
      }
      index = -1;
    }
    readEntry(this, memory, ++index);
    return true;
  }

  static void readEntry(Cursor cursor, MemorySegment block, int index) {
    long entry = Block.entry(block, 0, index);
    cursor.word = Block.word(block, entry);
    cursor.key = entry + Block.ENTRY_HEAD;
    cursor.keyLength = Block.keyLength(block, entry);
    cursor.value = cursor.key + cursor.keyLength;
    cursor.valueLength = Block.valueLength(block, entry);
  }

  private boolean nextLeaf() throws IOException {
    int height = 1;
    while (height < info.height() && !step(height)) {
      height++;
    }
    if (height >= info.height()) {
      return false;
    }
    for (height--; height > 0; height--) {
      indexAt[height] = -1;
      step(height);
    }
    copyLeaf();
    return true;
  }

  /** Goes to the next child of the node at a height, if it has one. */
  private boolean step(int height) throws IOException {
    int frame = cache.pin(segments, segmentAt[height], placeAt[height]);
    long block = BlockCache.offset(frame);
    boolean more = indexAt[height] + 1 < Block.count(cache.memory(), block);
    if (more) {
      enterChild(height, block, indexAt[height] + 1);
    }
    cache.unpin(frame);
    return more;
  }
}
