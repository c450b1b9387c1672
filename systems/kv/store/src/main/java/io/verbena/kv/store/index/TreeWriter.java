// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.index;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds a tree from entries that come in their order, bottom-up: a block is written once, when it
 * is full.
 */
public final class TreeWriter implements AutoCloseable {
  private static final int MAGIC = 0x58444956; // "VIDX"
  private static final int FORMAT = 1;

  private final SegmentSink sink;
  private final int level;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment image = arena.allocate(Segments.BYTES, Block.BYTES);
  private final Filter filter;
  private final List<BlockBuilder> nodes = new ArrayList<>();
  private final MemorySegment lastKey = MemorySegment.ofArray(new byte[Entry.MAX_KEY]);
  private final MemorySegment separator = MemorySegment.ofArray(new byte[Entry.MAX_KEY]);
  private final MemorySegment child = MemorySegment.ofArray(new byte[Block.CHILD_BYTES]);
  private long[] segments = new long[8];
  private int segmentCount;
  private int place; // of the next block in the image; 0 without one
  private int blocks;
  private int lastKeyLength = -1;
  private long entries;
  private long tombstones;
  private int separatorLength; // of the leaf that is being filled, as the next
  private long separatorWord;

  /**
   * @param keys not fewer than will come; the filter is made for so many
   */
  public TreeWriter(SegmentSink sink, int level, long keys) {
    this.sink = sink;
    this.level = level;
    this.filter = new Filter(keys);
    nodes.add(new BlockBuilder(Block.LEAF, 0));
  }

  public void add(Cursor entry) throws IOException {
    BlockBuilder leaf = nodes.getFirst();
    if (!leaf.fits(entry.keyLength, entry.valueLength)) {
      write(0);
    }
    boolean sameKey = lastKeyLength >= 0 && entry.compareKey(lastKey, 0, lastKeyLength) == 0;
    if (leaf.isEmpty()) {
      makeSeparator(entry, sameKey);
    }
    if (!sameKey) {
      filter.add(Bytes.hash(entry.memory, entry.key, entry.keyLength));
      MemorySegment.copy(entry.memory, entry.key, lastKey, 0, entry.keyLength);
      lastKeyLength = entry.keyLength;
    }
    leaf.add(
        entry.memory,
        entry.key,
        entry.keyLength,
        entry.word,
        entry.memory,
        entry.value,
        entry.valueLength);
    entries++;
    if (Entry.kind(entry.word) == Entry.TOMBSTONE) {
      tombstones++;
    }
  }

  /**
   * The shortest key that parts a leaf from the one before it; the whole one where versions of a
   * key go on.
   */
  private void makeSeparator(Cursor first, boolean sameKey) {
    int length = first.keyLength;
    if (!sameKey) {
      length =
          lastKeyLength < 0
              ? 0
              : 1
                  + Bytes.commonLength(
                      lastKey, 0, lastKeyLength, first.memory, first.key, first.keyLength);
    }
    MemorySegment.copy(first.memory, first.key, separator, 0, length);
    separatorLength = length;
    separatorWord = sameKey ? first.word : Entry.NEWEST;
  }

  /** Writes the node of a height that is being filled, and enters it in the one above. */
  private void write(int height) throws IOException {
    BlockBuilder node = nodes.get(height);
    MemorySegment key = separator;
    long keyAt = 0;
    int keyLength = separatorLength;
    long word = separatorWord;
    if (height > 0) {
      key =
          node.memory().asSlice(node.keyOf(0), node.keyLengthOf(0)); // survives build(): it copies
      keyLength = node.keyLengthOf(0);
      word = node.wordOf(0);
    }
    if (height + 1 == nodes.size()) {
      nodes.add(new BlockBuilder(Block.INNER, height + 1));
    }
    BlockBuilder parent = nodes.get(height + 1);
    if (!parent.fits(keyLength, Block.CHILD_BYTES)) {
      write(height + 1);
    }
    writeBlock(node);
    parent.add(key, keyAt, keyLength, word, child, 0, Block.CHILD_BYTES);
  }

  /** Writes a block, and leaves where it lies in {@link #child}. */
  private void writeBlock(BlockBuilder node) throws IOException {
    int at = nextPlace();
    node.build(image, (long) at * Block.BYTES);
    seal(at);
  }

  private int nextPlace() throws IOException {
    if (place == Segments.BYTES / Block.BYTES) {
      finishSegment();
    }
    if (place == 0) {
      beginSegment();
    }
    blocks++;
    return place++;
  }

  private void seal(int at) {
    long segment = segments[segmentCount - 1];
    Block.seal(image, (long) at * Block.BYTES, segment, at);
    child.set(Bytes.LONG, 0, segment);
    child.set(Bytes.INT, 8, at);
  }

  private void beginSegment() throws IOException {
    if (segmentCount == segments.length) {
      segments = Arrays.copyOf(segments, 2 * segmentCount);
    }
    long number = sink.newNumber();
    segments[segmentCount++] = number;
    image.asSlice(0, Block.BYTES).fill((byte) 0);
    image.set(JAVA_BYTE, Block.KIND, (byte) Block.HEADER);
    image.set(Bytes.INT, 16, MAGIC);
    image.set(Bytes.INT, 20, FORMAT);
    image.set(Bytes.LONG, 24, number);
    image.set(Bytes.INT, 32, level);
    image.set(Bytes.INT, 36, segmentCount - 1);
    Block.seal(image, 0, number, 0);
    place = 1;
  }

  private void finishSegment() throws IOException {
    sink.finished(segments[segmentCount - 1], image.asSlice(0, (long) place * Block.BYTES));
    place = 0;
  }

  /** Writes what is left. @return what the manifest has to know; no segments if no entry came */
  public TreeInfo finish() throws IOException {
    if (entries == 0) {
      return new TreeInfo(level, 0, 0, 0, 0, 0, new long[0]);
    }
    int height = 0;
    while (height + 1 < nodes.size()) {
      write(height++);
    }
    if (height == 0 || nodes.get(height).count() > 1) {
      writeBlock(nodes.get(height++));
    }
    for (int i = 0; i < filter.blocks(); i++) {
      int at = nextPlace();
      MemorySegment.copy(filter.block(i), 0, image, (long) at * Block.BYTES, Block.BYTES);
      seal(at);
    }
    finishSegment();
    return new TreeInfo(
        level,
        height,
        blocks,
        filter.blocks(),
        entries,
        tombstones,
        Arrays.copyOf(segments, segmentCount));
  }

  @Override
  public void close() {
    filter.close();
    arena.close();
  }
}
