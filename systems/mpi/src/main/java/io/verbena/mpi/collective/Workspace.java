// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A reduction, and the memory that its calls work in, which is kept from one to the next. */
final class Workspace {

  private static final long MOST_KEPT_BYTES = 8 << 20;
  private static final int SECTIONS = 3;
  private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  final Reduction reduction;
  private final MemorySegment[] sections = new MemorySegment[SECTIONS];

  Workspace(Reduction reduction) {
    this.reduction = reduction;
    Arrays.fill(sections, NONE);
  }

  /** Memory for this call; what it had before does not matter. */
  MemorySegment section(int number, long bytes) {
    MemorySegment kept = sections[number];
    if (kept.byteSize() < bytes) {
      kept = reduction.allocate(bytes);
      sections[number] = kept;
    }
    return kept.byteSize() == bytes ? kept : kept.asSlice(0, bytes);
  }

  /** The same, with a packed message in it. */
  MemorySegment section(int number, Layout message) {
    MemorySegment section = section(number, message.bytes());
    message.gather(0, message.bytes(), section, 0);
    return section;
  }

  /** Puts {@code in op inout} into {@code inout}. */
  void apply(MemorySegment in, MemorySegment inout) {
    if (inout.byteSize() > 0) {
      reduction.apply(in, inout, inout.byteSize() / reduction.elementBytes());
    }
  }

  Slices slices(long bytes, int count) {
    return Slices.equal(bytes, reduction.elementBytes(), count);
  }

  /** Gives back what is much. */
  void trim() {
    for (int i = 0; i < SECTIONS; i++) {
      if (sections[i].byteSize() > MOST_KEPT_BYTES) {
        sections[i] = NONE;
      }
    }
  }
}
