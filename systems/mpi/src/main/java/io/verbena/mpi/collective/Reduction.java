// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import java.lang.foreign.MemorySegment;

/**
 * What a reduction does with two packed messages. It must be associative. One that does not commute
 * is applied in the order of the members: {@code m0 op m1 op … op mN}.
 *
 * <p>Called by the thread that makes the call only. What it throws ends the call on this member.
 */
public interface Reduction {

  /** Whether {@code a op b} is {@code b op a}. */
  boolean isCommutative();

  /** How long an element is; messages are cut between elements. */
  int elementBytes();

  /**
   * Memory that {@link #apply} can work on, and sections of it: a heap array of the right type, or
   * what else suits it. Its contents do not matter. It may be kept and used for later calls with a
   * reduction that equals this one.
   */
  MemorySegment allocate(long bytes);

  /**
   * Puts {@code in op inout} into {@code inout}, element by element.
   *
   * @param in a section of memory of {@link #allocate}, at the boundary of an element
   * @param inout another, which does not overlap with it
   * @param elements how many of both; at least one
   */
  void apply(MemorySegment in, MemorySegment inout, long elements);
}
