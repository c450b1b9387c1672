// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a lane's reader hands on; pauses and refuses when told to. */
final class TakenFrames implements FrameSink {

  /** One frame, its bytes without the header copied. */
  record Taken(long header, List<Byte> rest) {}

  final List<Taken> frames = new ArrayList<>();
  @Nullable String brokenBecause;
  @Nullable ProtocolException refusal;
  @Nullable RuntimeException failure;
  boolean paused;

  @Override
  public void frame(MemorySegment segment, long offset, long header) throws ProtocolException {
    frames.add(taken(segment, offset, header));
    if (refusal != null) {
      throw refusal;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** What a sink should be handed for the frame at this place. */
  static Taken taken(MemorySegment segment, long offset, long header) {
    byte[] rest =
        segment
            .asSlice(offset + Frame.HEADER_BYTES, Frame.length(header) - Frame.HEADER_BYTES)
            .toArray(ValueLayout.JAVA_BYTE);
    List<Byte> bytes = new ArrayList<>(rest.length);
    for (byte b : rest) {
      bytes.add(b);
    }
    return new Taken(header, bytes);
  }

  @Override
  public boolean mustWait(int kind) {
    return paused && kind != Frame.CONTROL;
  }

  @Override
  public void broken(String reason) {
    brokenBecause = reason;
  }
}
