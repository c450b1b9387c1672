// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;

/** Some of the bytes of a message, as one of its own. */
record Part(Layout whole, long begin, long bytes) implements Layout {

  @Override
  public void gather(long from, long count, MemorySegment to, long at) {
    whole.gather(begin + from, count, to, at);
  }

  @Override
  public void scatter(long to, long count, MemorySegment source, long at) {
    whole.scatter(begin + to, count, source, at);
  }
}
