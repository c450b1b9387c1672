// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;

/** The blocks of several members, one after the other, as one message. */
final class Row implements Layout {

  private final Layout[] blocks;
  private final long[] ends; // of each block in the message

  /**
   * @param first the first one's number; behind the last member comes member 0
   */
  Row(Blocks all, int first, int count) {
    blocks = new Layout[count];
    ends = new long[count];
    long end = 0;
    for (int i = 0; i < count; i++) {
      blocks[i] = all.at((first + i) % all.count());
      end += blocks[i].bytes();
      ends[i] = end;
    }
  }

  @Override
  public long bytes() {
    return ends[ends.length - 1];
  }

  /** Some bytes of one block. */
  private interface Step {
    void copy(Layout block, long inBlock, long bytes, long done);
  }

  private void forEach(long from, long bytes, Step step) {
    long done = 0;
    for (int i = 0; done < bytes; i++) {
      long inBlock = from + done - (ends[i] - blocks[i].bytes());
      long piece = Math.min(bytes - done, ends[i] - from - done);
      if (piece > 0) {
        step.copy(blocks[i], inBlock, piece, done);
        done += piece;
      }
    }
  }

  @Override
  public void gather(long from, long bytes, MemorySegment to, long at) {
    forEach(from, bytes, (block, begin, piece, done) -> block.gather(begin, piece, to, at + done));
  }

  @Override
  public void scatter(long to, long bytes, MemorySegment source, long at) {
    forEach(
        to, bytes, (block, begin, piece, done) -> block.scatter(begin, piece, source, at + done));
  }
}
