// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import io.verbena.natives.Calls;
import io.verbena.natives.Hold;
import io.verbena.transport.LaneMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an endpoint's outgoing or of its incoming lanes: the library's, each with its
 * {@link Hold}. Any thread.
 */
final class HeldLanes {

  private final MethodHandle allocating;
  private final MethodHandle freeing;
  private final Map<Long, Hold> holds = new ConcurrentHashMap<>(); // by where the memory lies

  /**
   * With the library's functions for their kind.
   *
   * @param allocating takes an endpoint, the size, and places for the handle and the memory
   * @param freeing takes the handle
   */
  HeldLanes(MethodHandle allocating, MethodHandle freeing) {
    this.allocating = allocating;
    this.freeing = freeing;
  }

  /** Memory of an endpoint that stays open meanwhile. */
  LaneMemory allocate(MemorySegment endpoint, long capacity) throws IOException {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment handle = scratch.allocate(ValueLayout.ADDRESS);
      MemorySegment start = scratch.allocate(ValueLayout.ADDRESS);
      long bytes = LaneMemory.DATA_OFFSET + capacity;
      EndpointFunctions.check((int) Calls.call(allocating, endpoint, bytes, handle, start));
      Hold hold = new Hold(handle.get(ValueLayout.ADDRESS, 0), it -> Calls.call(freeing, it));
      return wrap(start.get(ValueLayout.ADDRESS, 0), bytes, hold);
    }
  }

  private LaneMemory wrap(MemorySegment start, long bytes, Hold hold) {
    holds.put(start.address(), hold);
    Arena lifetime = Arena.ofShared();
    return new LaneMemory(
        start.reinterpret(bytes, lifetime, null),
        () -> {
          lifetime.close(); // no Java thread touches it from here on
          holds.remove(start.address());
          hold.free();
        });
  }

  /**
   * Who holds a lane's memory; null if it is not among these.
   *
   * @throws IllegalStateException if it was freed: what lies there by now may be another lane's
   */
  @Nullable Hold of(LaneMemory memory) {
    Hold hold = holds.get(memory.segment().address());
    // Alive behind the look, it was so at the look: what was found is its own.
    if (!memory.segment().scope().isAlive()) {
      throw new IllegalStateException("the lane's memory was freed");
    }
    return hold;
  }
}
