// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;

/**
 * From each to the next one only, and around: as many steps as there are others, in each of which
 * every member sends and receives one block.
 */
final class Ring {

  private Ring() {}

  /** This member's block is in its place. */
  static void allgather(Call call, Blocks all) throws InterruptedException {
    for (int step = 0; step < call.size() - 1; step++) {
      Layout sent = all.at(call.behind(step));
      call.exchange(call.ahead(1), sent, call.behind(1), all.at(call.behind(step + 1)));
    }
  }

  /**
   * Leaves this member's slice of the result. A slice begins behind its owner and comes to it last,
   * so the reduction has to commute.
   */
  static MemorySegment reduceScatter(Call call, Layout from, Slices slices, Workspace work)
      throws InterruptedException {
    MemorySegment sums = work.section(0, from);
    for (int step = 1; step < call.size(); step++) {
      MemorySegment sent = slices.in(sums, call.behind(step));
      int slice = call.behind(step + 1);
      MemorySegment next = work.section(1, slices.bytes(slice));
      call.exchange(call.ahead(1), Layout.of(sent), call.behind(1), Layout.of(next));
      work.apply(next, slices.in(sums, slice));
    }
    return slices.in(sums, call.self());
  }
}
