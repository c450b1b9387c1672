// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of truth values as bytes of 0 and 1; no segment can be that. */
record Booleans(boolean[] array) implements Layout {

  @Override
  public long bytes() {
    return array.length;
  }

  @Override
  public void gather(long from, long bytes, MemorySegment to, long at) {
    for (int i = 0; i < bytes; i++) {
      to.set(ValueLayout.JAVA_BYTE, at + i, array[(int) from + i] ? (byte) 1 : 0);
    }
  }

  @Override
  public void scatter(long to, long bytes, MemorySegment source, long at) {
    for (int i = 0; i < bytes; i++) {
      array[(int) to + i] = source.get(ValueLayout.JAVA_BYTE, at + i) != 0;
    }
  }
}
