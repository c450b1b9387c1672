// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The memory of this process as one segment. The segment is a constant, so the JIT knows its bounds
 * and that it is never freed, and looks at neither when it is accessed. That is for who writes the
 * small messages: what they have to look at is looked at once, in {@link #offsetOf}.
 *
 * <p>Accesses to memory that is freed meanwhile end the process. So this is for memory that cannot
 * be: that of a lane while somebody who is waited for is inside, and without calls of foreign code.
 */
public final class ProcessMemory {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private ProcessMemory() {}

  /** What a segment's parts are accessed in, at {@link #offsetOf}. */
  public static MemorySegment baseOf(MemorySegment segment) {
    return segment.isNative() ? ALL : segment;
  }

  /**
   * Where a part of a segment lies in its {@link #baseOf base}. If that is all memory, nothing else
   * looks whether the part is in the segment, and the segment has to be writable, and of the
   * calling thread if it is confined to one.
   *
   * @throws IndexOutOfBoundsException if the part does not lie in the segment
   * @throws IllegalStateException if the segment was freed
   */
  public static long offsetOf(MemorySegment segment, long offset, long bytes) {
    Objects.checkFromIndexSize(offset, bytes, segment.byteSize());
    if (!segment.isNative()) {
      return offset;
    }
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("the memory was freed");
    }
    return segment.address() + offset;
  }

  /**
   * Writes a word at an 8-aligned address; who reads it by acquire sees what was written before.
   */
  public static void setRelease(long address, long value) {
    LONG.setRelease(ALL, address, value);
  }
}
