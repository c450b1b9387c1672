// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/** One live path to one life of a peer. A broken link is never mended; a new one replaces it. */
public interface Link {

  /** The transport it belongs to. */
  Transport transport();

  /** The path in words, for logs: addresses, files. */
  String describe();

  /**
   * Starts to move a lane's bytes: from the position the far side has received on. Announces the
   * lane to the far side, which opens it by {@link LinkEvents#inbound}.
   */
  Outlet attach(int laneId, LaneMemory memory);

  /**
   * Memory outside of the heap that the link keeps for itself, in bytes. Lanes do not count, nor
   * does what the kernel has for its sockets.
   */
  default long memoryBytes() {
    return 0;
  }

  /**
   * Tells the far side what has been consumed, where that otherwise waits a while for company:
   * goodbye follows, and the far side reports what it takes for not consumed. Any thread; does not
   * block.
   */
  default void reportConsumed() {}

  /**
   * Whether the peer's process lives: asks it, and waits for an answer to a question that was asked
   * after the call. Blocks for as long as the transport would think twice of a silent peer, at
   * most. Any thread but a receiving one.
   *
   * @return false, too, where the transport cannot ask, and once the link is down
   */
  default boolean peerAnswers() {
    return false;
  }

  /** Takes the link down; {@link LinkEvents#down} follows. Idempotent, does not block. */
  void close(String reason);
}
