// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import java.lang.foreign.MemorySegment;

/** The sum of doubles, on arrays. */
final class DoubleSum implements Reduction {

  @Override
  public boolean isCommutative() {
    return true;
  }

  @Override
  public int elementBytes() {
    return Double.BYTES;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return MemorySegment.ofArray(new double[Math.toIntExact(bytes / Double.BYTES)]);
  }

  @Override
  public void apply(MemorySegment in, MemorySegment inout, long elements) {
    double[] from = (double[]) in.heapBase().orElseThrow();
    double[] into = (double[]) inout.heapBase().orElseThrow();
    int fromAt = (int) (in.address() / Double.BYTES);
    int intoAt = (int) (inout.address() / Double.BYTES);
    for (int i = 0; i < elements; i++) {
      into[intoAt + i] += from[fromAt + i];
    }
  }
}
