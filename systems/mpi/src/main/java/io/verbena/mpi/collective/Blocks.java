// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * The part of a buffer that belongs to each member: what a gather receives from each, a scatter
 * sends to each. The blocks may differ in length, lie in any order and leave gaps; those that are
 * written to must not overlap. Asked by the thread that makes the call only.
 */
public interface Blocks {

  /** How many blocks there are: one for each member. */
  int count();

  /** The block of a member; the same each time. */
  Layout at(int member);

  /**
   * The blocks of several members, one behind the other, as one message.
   *
   * @param first the first one's number; behind the last member comes member 0
   */
  default Layout row(int first, int members) {
    return Layout.joined(
        IntStream.range(first, first + members).mapToObj(i -> at(i % count())).toList());
  }

  /** Blocks of the same length, one after the other. */
  static Blocks equal(MemorySegment memory, int count) {
    long bytes = memory.byteSize() / count;
    if (bytes * count != memory.byteSize()) {
      throw new IllegalArgumentException(
          "%d bytes are not %d equal blocks".formatted(memory.byteSize(), count));
    }
    Layout[] layouts = new Layout[count];
    for (int member = 0; member < count; member++) {
      layouts[member] = Layout.of(memory.asSlice(member * bytes, bytes));
    }
    return of(layouts);
  }

  /** These blocks. */
  static Blocks of(Layout... layouts) {
    return new Listed(layouts);
  }
}
