// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.LaneMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A lane being written; knows what its reader has still to find and holds the writer to its word.
 */
final class WrittenLane {

  /** The smallest ring there can be, so that laps come often. */
  static final int CAPACITY = 4096;

  static final int MAX_FRAME_BYTES = LaneWriter.maxFrameBytes(CAPACITY);

  final LaneMemory memory = memory();
  final LaneWriter writer = new LaneWriter(memory);
  final Queue<TakenFrames.Taken> underWay = new ArrayDeque<>();
  private byte next;

  static LaneMemory memory() {
    return new LaneMemory(Arena.ofAuto().allocate(LaneMemory.DATA_OFFSET + CAPACITY, 64), () -> {});
  }

  /** Where in the ring the next frame would start. */
  int ringOffset() {
    return (int) (writer.tail() % CAPACITY);
  }

  /** Writes a frame of so many bytes, header included; false if the lane is full. */
  boolean write(int lengthBytes) {
    int frameBytes = Frame.align(lengthBytes);
    boolean hasRoom = writer.hasRoomForFrame(frameBytes);
    long at = writer.claim(frameBytes);
    assertThat(at != LaneWriter.FULL).as("there was room, as foretold").isEqualTo(hasRoom);
    if (at == LaneWriter.FULL) {
      return false;
    }
    assertThat(Frame.getLong(memory.segment(), at)).as("the header of a claim").isZero();
    long header = Frame.header(lengthBytes, next & 0xFF, Frame.MESSAGE, 0);
    fill(at, lengthBytes);
    underWay.add(TakenFrames.taken(memory.segment(), at, header));
    writer.publish(at, header, frameBytes);
    assertThat(memory.header(writer.tail())).as("the word after a published frame").isZero();
    assertThat(memory.header(writer.tail() + 8)).as("the word for the last one's end").isZero();
    return true;
  }

  /** Writes the last frame. */
  void end() {
    long at = memory.offsetOf(writer.tail());
    long header = Frame.header(Frame.HEADER_BYTES, 0x8001, Frame.MOVED, 0);
    underWay.add(TakenFrames.taken(memory.segment(), at, header));
    writer.end(header);
    assertThat(memory.header(writer.tail())).as("the word after the last frame").isZero();
    assertThat(writer.claim(8)).isEqualTo(LaneWriter.FULL);
  }

  /** Claims room, writes to all of it and gives it up; false if the lane is full. */
  boolean abort(int lengthBytes) {
    int frameBytes = Frame.align(lengthBytes);
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      return false;
    }
    memory.segment().asSlice(at, frameBytes).fill((byte) -1);
    writer.abort(at, frameBytes);
    return true;
  }

  private void fill(long at, int lengthBytes) {
    MemorySegment segment = memory.segment();
    for (int i = Frame.HEADER_BYTES; i < lengthBytes; i++) {
      segment.set(ValueLayout.JAVA_BYTE, at + i, next++);
    }
    next++;
  }

  /** The reader has taken these and no others. */
  void assertNextAre(TakenFrames taken) {
    for (TakenFrames.Taken frame : taken.frames) {
      assertThat(frame).isEqualTo(underWay.poll());
    }
    taken.frames.clear();
    assertThat(taken.brokenBecause).isNull();
  }
}
