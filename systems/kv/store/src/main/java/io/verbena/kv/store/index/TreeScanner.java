// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Reads a tree's segments one after the other, each whole, and gives the entries of the leaves in
 * them.
 */
public final class TreeScanner extends Cursor implements AutoCloseable {
  private final TreeInfo info;
  private final Segments segments;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment image = arena.allocate(Segments.BYTES, Block.BYTES);
  private int block = -1;
  private int index;
  private int count;
  private final int limit;

  /**
   * @param allBlocks whether to read, and so to check, those of the filter, too
   */
  TreeScanner(TreeInfo info, Segments segments, boolean allBlocks) {
    this.limit = allBlocks ? info.blocks() : info.root() + 1;
    this.info = info;
    this.segments = segments;
  }

  @Override
  public boolean seek(MemorySegment key, long keyOffset, int keyLength, long word) {
    throw new UnsupportedOperationException("a scanner goes over all entries");
  }

  @Override
  public boolean next() throws IOException {
    while (index == count) {
      if (++block >= limit) {
        return false;
      }
      openBlock();
    }
    TreeCursor.readEntry(this, memory, index++);
    return true;
  }

  private void openBlock() throws IOException {
    int place = TreeInfo.placeOf(block);
    long segment = info.segmentOf(block);
    if (place == 1) {
      readSegment(segment);
    }
    long at = (long) place * Block.BYTES;
    Block.check(image, at, segments, segment, place, "keys of the index are lost");
    memory = image.asSlice(at, Block.BYTES);
    index = 0;
    count = Block.kind(image, at) == Block.LEAF ? Block.count(image, at) : 0;
  }

  private void readSegment(long segment) throws IOException {
    int left = info.blocks() - block;
    long wanted = (1L + Math.min(left, TreeInfo.BLOCKS_PER_SEGMENT)) * Block.BYTES;
    int read = segments.read(segment, 0, image.asSlice(0, wanted).asByteBuffer());
    if (read < wanted) {
      throw new Damage(
          segments.describe(segment),
          read,
          "the file ends here, and not at " + wanted + "; keys of the index are lost");
    }
    Block.check(image, 0, segments, segment, 0, "the segment is not what it is named");
  }

  @Override
  public void close() {
    arena.close();
  }
}
