// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Composition of maps {@code x -> a * x + b} of two ints each: associative, and it does not
 * commute; or, of the same memory, the sum, which does.
 */
record AffineMaps(boolean isCommutative) implements Reduction {

  @Override
  public int elementBytes() {
    return 2 * Integer.BYTES;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return MemorySegment.ofArray(new int[Math.toIntExact(bytes / Integer.BYTES)]);
  }

  @Override
  public void apply(MemorySegment in, MemorySegment inout, long elements) {
    if (!(inout.heapBase().orElseThrow() instanceof int[]) || elements < 1) {
      throw new IllegalArgumentException(elements + " elements of " + inout);
    }
    for (long i = 0; i < elements; i++) {
      applyAt(2 * i, in, inout);
    }
  }

  private void applyAt(long at, MemorySegment in, MemorySegment inout) {
    int a = get(in, at);
    int b = get(in, at + 1);
    int c = get(inout, at);
    int d = get(inout, at + 1);
    inout.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at, isCommutative ? a + c : a * c);
    inout.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at + 1, isCommutative ? b + d : a * d + b);
  }

  private static int get(MemorySegment memory, long index) {
    return memory.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
  }
}
