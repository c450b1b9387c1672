// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import io.verbena.kv.store.disk.Segments;

/**
 * What a manifest says of a tree. Its blocks are numbered in the order in which they were written:
 * leaves in the order of their keys with the inner nodes above them between, the root last of
 * these, then the filter's blocks.
 *
 * @param level 1 for what a table in memory became, one more for what is merged from a level
 * @param blocks of all kinds, without the first one of each segment
 * @param filterBlocks the last ones of {@code blocks}
 * @param entries all versions of all keys
 * @param tombstones how many of these say that a key was deleted
 */
public record TreeInfo(
    int level,
    int height,
    int blocks,
    int filterBlocks,
    long entries,
    long tombstones,
    long[] segments) {

  /** Blocks of a segment that hold something; the first one tells what the segment is. */
  public static final int BLOCKS_PER_SEGMENT = Segments.BYTES / Block.BYTES - 1;

  /** Segments that a tree of that many blocks has. */
  public static int segmentsFor(int blocks) {
    return (int) (((long) blocks + BLOCKS_PER_SEGMENT - 1) / BLOCKS_PER_SEGMENT);
  }

  public long segmentOf(int block) {
    return segments[block / BLOCKS_PER_SEGMENT];
  }

  /** Where in its segment a block lies, in blocks. */
  public static int placeOf(int block) {
    return 1 + block % BLOCKS_PER_SEGMENT;
  }

  public int root() {
    return blocks - filterBlocks - 1;
  }

  public long bytes() {
    return (long) (blocks + segments.length) * Block.BYTES;
  }
}
