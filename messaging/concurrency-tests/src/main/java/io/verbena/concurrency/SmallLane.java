// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.FrameSink;
import io.verbena.internal.lane.LaneReader;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The smallest lane there is, with a writer of numbered frames and a reader that checks them. */
final class SmallLane implements FrameSink {

  /** What {@link #seen} becomes when a frame is not the one that is due. */
  static final int WRONG = -1;

  private static final int RING_BYTES = 4096;
  private static final int TYPE = 9;

  final LaneMemory memory =
      new LaneMemory(
          MemorySegment.ofArray(new long[(LaneMemory.DATA_OFFSET + RING_BYTES) / 8]), () -> {});
  final LaneWriter writer = new LaneWriter(memory);
  final LaneReader reader = new LaneReader(0, memory, true, this);

  private int written;
  private int seen;

  /** Writes the next numbered frame; false if the lane is full. */
  boolean write(int frameBytes) {
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      return false;
    }
    int number = written++;
    for (long i = at + Frame.HEADER_BYTES; i < at + frameBytes; i += 8) {
      memory.segment().set(ValueLayout.JAVA_LONG, i, word(number, i - at));
    }
    writer.publish(at, Frame.header(frameBytes, TYPE, Frame.MESSAGE, 0), frameBytes);
    return true;
  }

  /** Claims, writes rubbish where the body goes, gives up. */
  void writeAndAbort(int frameBytes) {
    long at = writer.claim(frameBytes);
    memory
        .segment()
        .asSlice(at + Frame.HEADER_BYTES, frameBytes - Frame.HEADER_BYTES)
        .fill((byte) 0x55);
    writer.abort(at, frameBytes);
  }

  /** Reads on; returns how many frames came whole and in order, or {@link #WRONG}. */
  int drain() {
    reader.drain();
    return seen;
  }

  @Override
  public void frame(MemorySegment segment, long offset, long header) {
    if (seen == WRONG) {
      return;
    }
    seen = isRight(segment, offset, header) ? seen + 1 : WRONG;
  }

  private boolean isRight(MemorySegment segment, long offset, long header) {
    if (Frame.typeId(header) != TYPE) {
      return false;
    }
    for (int i = Frame.HEADER_BYTES; i < Frame.length(header); i += 8) {
      if (segment.get(ValueLayout.JAVA_LONG, offset + i) != word(seen, i)) {
        return false;
      }
    }
    return true;
  }

  private static long word(int number, long index) {
    return (long) (number + 1) << 32 | index;
  }

  @Override
  public boolean mustWait(int kind) {
    return false;
  }

  @Override
  public void broken(String reason) {
    seen = WRONG;
  }
}
