// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import java.lang.foreign.MemorySegment;

/** Takes the frames of a lane, in order. */
public interface FrameSink {

  /**
   * Takes one frame that is no padding.
   *
   * @param segment holds the frame
   * @param offset where its header lies
   * @param header the header that was checked; do not read it from memory again, where its writer
   *     may have changed it
   * @throws ProtocolException if the frame is not what its kind and type say
   */
  void frame(MemorySegment segment, long offset, long header) throws ProtocolException;

  /** Whether a frame of this kind cannot be taken yet, because a queue that it goes to is full. */
  boolean mustWait(int kind);

  /** The lane is read no further because its bytes break the protocol or are gone. */
  void broken(String reason);
}
