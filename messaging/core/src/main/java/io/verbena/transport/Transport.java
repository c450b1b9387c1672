// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * One node's end of a way of moving ring bytes. Its threads accept links and move bytes; the node
 * decides when to connect and what a lost link means.
 */
public interface Transport extends AutoCloseable {

  /** The provider's name. */
  String name();

  /**
   * Where peers reach this node, {@code host:port}; empty if links are not accepted over a network.
   */
  default String address() {
    return "";
  }

  /**
   * Whether a peer can be dialled this way.
   *
   * @param address as given by the user: {@code host:port}, or empty
   */
  boolean canReach(int peer, String address);

  /**
   * Makes a link to a peer. Blocks; called on a virtual thread. On return {@link
   * TransportContext#established} has been called for the new link.
   *
   * @throws RefusedException if the peer answered and one of the two sides refused
   * @throws IOException if the peer did not answer, with the reason
   */
  void connect(int peer, String address, Duration timeout) throws IOException;

  /**
   * Provides memory for an outgoing lane, zeroed. It belongs to the session, outlives links, and is
   * freed by {@link LaneMemory#close}.
   *
   * @param capacity the ring's size in bytes, a power of two
   */
  LaneMemory allocate(int peer, int laneId, long capacity) throws IOException;

  /**
   * Whether lanes begin small and go on in larger ones when they are full; else each lane has its
   * full size from the start.
   */
  default boolean growsLanes() {
    return true;
  }

  /**
   * Whether incoming lanes are the far side's own memory, so that what is published is found by
   * looking, rather than replicas that the transport fills.
   */
  boolean readsInPlace();

  /** The loop that receives; a thread that waits for a reply helps it. */
  ProgressLoop progress();

  /**
   * What the transport itself counts, by names that begin with its own and a dot: they stand among
   * the node's metrics. {@code links.rejected.REASON} adds to what the node has counted. Any
   * thread, after {@link #close} too.
   */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /** Stops accepting, takes all links down, ends all threads, removes all files. Idempotent. */
  @Override
  void close();
}
