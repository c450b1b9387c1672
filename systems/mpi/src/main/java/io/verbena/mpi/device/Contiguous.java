// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;

/** Memory in one piece. */
record Contiguous(MemorySegment memory) implements Layout {

  static final Layout EMPTY = new Contiguous(MemorySegment.ofArray(new byte[0]));

  @Override
  public long bytes() {
    return memory.byteSize();
  }

  @Override
  public void gather(long from, long bytes, MemorySegment to, long at) {
    MemorySegment.copy(memory, from, to, at, bytes);
  }

  @Override
  public void scatter(long to, long bytes, MemorySegment source, long at) {
    MemorySegment.copy(source, at, memory, to, bytes);
  }
}
