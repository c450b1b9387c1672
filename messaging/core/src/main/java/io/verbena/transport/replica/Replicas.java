// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.LaneMemory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where a link's incoming lanes get their memory. By the loop's role. */
public interface Replicas {

  /** Memory of this process that only this process writes. */
  Replicas COPIED = ReplicaMemory::allocate;

  /**
   * Makes a ring.
   *
   * @param capacity in bytes, a power of two
   */
  LaneMemory allocate(long capacity) throws IOException;

  /**
   * Lets the far side write into a lane's ring itself, until the next grant or {@link #revoke}.
   *
   * @param memory of a lane that may have been made for another link
   * @return null if that cannot be: the far side sends what it has
   */
  default @Nullable Grant grant(LaneMemory memory) {
    return null;
  }

  /** The far side has no business there any more. */
  default void revoke(LaneMemory memory) {}

  /**
   * What the far side has to know.
   *
   * @param address of the ring
   * @param key that opens it, an unsigned 32-bit number
   */
  record Grant(long address, int key) {}
}
