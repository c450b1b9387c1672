// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The elements that several of a derived datatype take of a program's memory, as a message. Any
 * range of it is found by division and a search among the runs, so it has no state.
 */
final class Strided implements Layout {

  private final Blocks memory;
  private final List<TypeMap.Run> runs;
  private final long[] starts; // of each run in one datatype's part of the message, in bytes
  private final long elementBytes;
  private final long first; // where the first datatype begins, in bytes
  private final long extent; // from each to the next, in bytes
  private final long partBytes; // of one datatype in the message
  private final long bytes;

  /**
   * @param offset of the first one in the memory, in elements
   */
  Strided(Blocks memory, TypeMap type, long offset, long count, int elementBytes) {
    TypeMap.Run only = type.runs().getFirst();
    boolean isVector = type.runs().size() == 1 && only.blocks() == 1;
    // Several of a type of one block are one run of these blocks.
    this.runs =
        isVector
            ? List.of(new TypeMap.Run(only.first(), only.length(), type.extent(), count))
            : type.runs();
    this.memory = memory;
    this.elementBytes = elementBytes;
    this.first = offset * elementBytes;
    this.extent = type.extent() * elementBytes;
    this.bytes = type.size() * count * elementBytes;
    this.partBytes = isVector ? bytes : type.size() * elementBytes;
    this.starts = new long[runs.size()];
    long start = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = start;
      start += runs.get(i).elements() * elementBytes;
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void gather(long from, long wanted, MemorySegment to, long at) {
    copy(from, wanted, to, at, memory::gather);
  }

  @Override
  public void scatter(long to, long given, MemorySegment source, long at) {
    copy(to, given, source, at, memory::scatter);
  }

  /** One of the two directions. */
  private interface Copy {
    void blocks(
        long first, long length, long stride, long blocks, MemorySegment piece, long pieceAt);
  }

  private void copy(long from, long wanted, MemorySegment piece, long at, Copy copy) {
    long end = from + wanted;
    long next = from;
    while (next < end) {
      long part = next / partBytes;
      long inPart = next % partBytes;
      int run = Arrays.binarySearch(starts, inPart);
      run = run < 0 ? -run - 2 : run;
      long inRun = inPart - starts[run];
      long partAt = first + part * extent;
      next += copyOfRun(runs.get(run), partAt, inRun, end - next, piece, at + next - from, copy);
    }
  }

  /** Copies what is wanted of one run: a rest of a block, whole blocks, and a begin of one. */
  private long copyOfRun(
      TypeMap.Run run,
      long partAt,
      long inRun,
      long wanted,
      MemorySegment piece,
      long at,
      Copy copy) {
    long length = run.length() * elementBytes;
    long stride = run.stride() * elementBytes;
    long block = inRun / length;
    long inBlock = inRun % length;
    long place = partAt + run.first() * elementBytes + block * stride;
    if (inBlock > 0 || wanted < length) {
      long bytesOfBlock = Math.min(wanted, length - inBlock);
      copy.blocks(place + inBlock, bytesOfBlock, bytesOfBlock, 1, piece, at);
      return bytesOfBlock;
    }
    long whole = Math.min(wanted / length, run.blocks() - block);
    copy.blocks(place, length, stride, whole, piece, at);
    return whole * length;
  }
}
