// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.LaneMemory;
import java.io.IOException;
import java.lang.foreign.Arena;

/** Native memory of this process for lanes and their replicas. */
public final class ReplicaMemory {

  private ReplicaMemory() {}

  /**
   * Makes a ring.
   *
   * @param capacity in bytes, a power of two
   */
  public static LaneMemory allocate(long capacity) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return new LaneMemory(
          arena.allocate(LaneMemory.DATA_OFFSET + capacity, 64), () -> closeWhenUnused(arena));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new IOException("no memory for a lane of " + capacity + " bytes", e);
    }
  }

  /** A socket that reads or writes holds the memory for the length of one non-blocking call. */
  private static void closeWhenUnused(Arena arena) {
    while (true) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException e) {
        if (!arena.scope().isAlive()) {
          return;
        }
        Thread.onSpinWait();
      }
    }
  }
}
