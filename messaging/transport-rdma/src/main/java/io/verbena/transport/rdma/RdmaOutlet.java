// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.replica.ReplicaOutlet;

/** One outgoing lane on one link: the library posts its bytes from the ring itself. */
final class RdmaOutlet extends ReplicaOutlet {

  private final RdmaWriter writer;
  private long placeAddress; // by the loop, until the key comes

  RdmaOutlet(int id, LaneMemory memory, RdmaWriter writer) {
    super(id, memory, writer);
    this.writer = writer;
  }

  @Override
  protected long sent() {
    return Endpoint.posted(memory());
  }

  /** As {@link #sent}, of a lane that may have ended. */
  long sentOrZero() {
    try {
      return isFlowing() ? sent() : 0;
    } catch (IllegalStateException e) {
      return 0; // its memory was freed meanwhile
    }
  }

  /** Where the far side grants us its ring. */
  void placeAt(long address) {
    placeAddress = address;
  }

  /** See {@link #placeAt}. */
  long placeAddress() {
    return placeAddress;
  }

  @Override
  protected void sendFrom(long position, long boundary) {
    writer.openLane(this, memory(), position, boundary);
  }
}
