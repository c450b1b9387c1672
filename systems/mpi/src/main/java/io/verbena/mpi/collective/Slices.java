// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** How a message is divided among members, between elements. */
final class Slices {

  private final long[] begins; // of each slice, and behind the last one the end

  private Slices(long[] begins) {
    this.begins = begins;
  }

  /** Slices of given numbers of elements. */
  static Slices of(int[] counts, int elementBytes) {
    long[] begins = new long[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      begins[i + 1] = begins[i] + (long) counts[i] * elementBytes;
    }
    return new Slices(begins);
  }

  /** Slices that differ by one element at most. */
  static Slices equal(long bytes, int elementBytes, int count) {
    long elements = bytes / elementBytes;
    long[] begins = new long[count + 1];
    Arrays.setAll(
        begins, i -> (elements / count * i + Math.min(i, elements % count)) * elementBytes);
    return new Slices(begins);
  }

  int count() {
    return begins.length - 1;
  }

  /** Of all together. */
  long bytes() {
    return begins[count()];
  }

  long bytes(int slice) {
    return begins[slice + 1] - begins[slice];
  }

  MemorySegment in(MemorySegment memory, int slice) {
    return memory.asSlice(begins[slice], bytes(slice));
  }

  /** The slices of a message, as blocks of the members. */
  Blocks of(Layout message) {
    Layout[] parts = new Layout[count()];
    Arrays.setAll(parts, i -> message.section(begins[i], bytes(i)));
    return Blocks.of(parts);
  }
}
