// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies equal blocks at equal distances out of a program's memory to one piece, and back. */
interface Blocks {

  /** Copies {@code blocks} of {@code length} bytes, {@code stride} apart, to one piece. */
  void gather(long first, long length, long stride, long blocks, MemorySegment to, long at);

  /** The same from one piece to where the blocks are. */
  void scatter(long first, long length, long stride, long blocks, MemorySegment from, long at);

  /** Blocks of memory that is a layout itself. */
  record Of(Layout memory) implements Blocks {
    @Override
    public void gather(
        long first, long length, long stride, long blocks, MemorySegment to, long at) {
      for (long i = 0; i < blocks; i++) {
        memory.gather(first + i * stride, length, to, at + i * length);
      }
    }

    @Override
    public void scatter(
        long first, long length, long stride, long blocks, MemorySegment from, long at) {
      for (long i = 0; i < blocks; i++) {
        memory.scatter(first + i * stride, length, from, at + i * length);
      }
    }
  }

  /** Blocks of memory in one piece; of one element each they are copied by a loop of their own. */
  record OfSegment(MemorySegment memory) implements Blocks {

    @Override
    public void gather(
        long first, long length, long stride, long blocks, MemorySegment to, long at) {
      copy(memory, first, stride, to, at, length, length, blocks);
    }

    @Override
    public void scatter(
        long first, long length, long stride, long blocks, MemorySegment from, long at) {
      copy(from, at, length, memory, first, stride, length, blocks);
    }

    private static void copy(
        MemorySegment from,
        long first,
        long stride,
        MemorySegment to,
        long toFirst,
        long toStride,
        long length,
        long blocks) {
      if (length == Long.BYTES) {
        copyLongs(from, first, stride, to, toFirst, toStride, blocks);
      } else if (length == Integer.BYTES) {
        copyInts(from, first, stride, to, toFirst, toStride, blocks);
      } else {
        for (long i = 0; i < blocks; i++) {
          MemorySegment.copy(from, first + i * stride, to, toFirst + i * toStride, length);
        }
      }
    }

    private static void copyLongs(
        MemorySegment from,
        long first,
        long stride,
        MemorySegment to,
        long toFirst,
        long toStride,
        long blocks) {
      for (long i = 0; i < blocks; i++) {
        long value = from.get(ValueLayout.JAVA_LONG_UNALIGNED, first + i * stride);
        to.set(ValueLayout.JAVA_LONG_UNALIGNED, toFirst + i * toStride, value);
      }
    }

    private static void copyInts(
        MemorySegment from,
        long first,
        long stride,
        MemorySegment to,
        long toFirst,
        long toStride,
        long blocks) {
      for (long i = 0; i < blocks; i++) {
        int value = from.get(ValueLayout.JAVA_INT_UNALIGNED, first + i * stride);
        to.set(ValueLayout.JAVA_INT_UNALIGNED, toFirst + i * toStride, value);
      }
    }
  }
}
