// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;

/** A range of another layout. */
record Section(Layout of, long first, long bytes) implements Layout {

  @Override
  public void gather(long from, long wanted, MemorySegment to, long at) {
    of.gather(first + from, wanted, to, at);
  }

  @Override
  public void scatter(long to, long given, MemorySegment source, long at) {
    of.scatter(first + to, given, source, at);
  }
}
