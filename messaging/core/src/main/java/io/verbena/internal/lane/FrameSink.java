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
   * @param header the header as it was checked; do not read it again, its writer may have changed
   *     it
   * @throws ProtocolException if the frame is not what its kind and type say
   */
  void frame(MemorySegment segment, long offset, long header) throws ProtocolException;

  /** Whether a frame of this kind cannot be taken now because a queue behind is full. */
  boolean mustWait(int kind);

  /** The lane cannot be read on: its bytes are not to be trusted. */
  void broken(String reason);
}
