// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;

/** What a link reports to its node. Calls for one link come from one thread at a time. */
public interface LinkEvents {

  /**
   * The far side announced a lane. If the session has it already the existing one is returned, with
   * its memory and positions, and {@code memory} is not used.
   *
   * @param capacity the ring's size as announced; checked against limits
   * @param memory makes the memory to read from: the far side's lane itself or a replica of it
   * @throws IOException if the announcement breaks a limit: take the link down
   */
  InboundLane inbound(int laneId, long capacity, MemorySource memory) throws IOException;

  /** The far side will write no more than up to {@code finalPosition} on this lane. */
  void finished(int laneId, long finalPosition);

  /** The far side sent something against the protocol: the session ends, counted by reason. */
  void broken(String reason);

  /** The link is down; nothing else will be called. Exactly once. */
  void down(String reason);

  /** Makes lane memory when it is needed. */
  @FunctionalInterface
  interface MemorySource {
    /** Makes it. */
    LaneMemory get() throws IOException;
  }
}
