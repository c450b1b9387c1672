// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/** The reading end of a peer's lane. Drained by the thread that holds the transport's role. */
public interface InboundLane {

  /** {@link #drain} consumes nothing now because the handlers' queue is full. */
  int PAUSED = -1;

  /** The lane's id at its sender. */
  int id();

  /** The memory read from. */
  LaneMemory memory();

  /**
   * How far bytes are in the memory; {@link Long#MAX_VALUE} if the far side writes to it itself.
   */
  long received();

  /** Bytes up to {@code position}, a multiple of 8, are in the memory. */
  void received(long position);

  /**
   * Hands whole messages to their handlers, at most an eighth of the ring, and moves the memory's
   * consumed position. Never throws for what messages or handlers do.
   *
   * @return the bytes consumed, 0 if there is no whole message, or {@link #PAUSED}
   */
  int drain();
}
