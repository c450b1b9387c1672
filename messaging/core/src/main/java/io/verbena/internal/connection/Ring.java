// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.lane.LaneWriter;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;

/**
 * A lane as the wire knows it: memory under an id, its writer, and the outlet where its bytes leave
 * now. An {@link OutboundLane} writes to one ring after another.
 */
final class Ring {

  private final int id;
  private final LaneMemory memory;
  private final LaneWriter writer;
  private volatile Outlet outlet;

  /** Makes a ring that has no link yet. */
  Ring(int id, LaneMemory memory, Outlet unlinked) {
    this.id = id;
    this.memory = memory;
    this.writer = new LaneWriter(memory);
    this.outlet = unlinked;
  }

  int id() {
    return id;
  }

  LaneMemory memory() {
    return memory;
  }

  LaneWriter writer() {
    return writer;
  }

  Outlet outlet() {
    return outlet;
  }

  void outlet(Outlet newOutlet) {
    outlet = newOutlet;
  }

  long capacity() {
    return memory.capacity();
  }

  long tail() {
    return writer.tail();
  }

  /** The consumed position; once the memory is freed, all there was. */
  long consumed() {
    try {
      return memory.consumed();
    } catch (IllegalStateException e) {
      return writer.tail();
    }
  }

  /** Whether everything written has been consumed. */
  boolean isDrained() {
    return consumed() >= writer.tail();
  }
}
