// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ring's end, which no frame may cross, met from every offset with every size. */
class LaneWrapTest {

  /** No frame ends beyond this: the last one and the word after it would lie in the next lap. */
  private static final int LAST_OFFSET = WrittenLane.CAPACITY - 2 * Frame.HEADER_BYTES;

  private final TakenFrames taken = new TakenFrames();
  private WrittenLane lane = new WrittenLane();
  private LaneReader reader = new LaneReader(0, lane.memory, true, taken);

  @Test
  void everyFrameArrivesWholeFromEveryOffset() {
    for (int size = Frame.HEADER_BYTES; size <= WrittenLane.MAX_FRAME_BYTES; size += 8) {
      for (int offset = 8; offset <= LAST_OFFSET; offset += 8) {
        goTo(offset);
        writeAndRead(size);
      }
    }
  }

  @Test
  void lengthsThatAreNoMultipleOfEightKeepTheirLength() {
    for (int size = Frame.HEADER_BYTES; size <= 300; size++) {
      writeAndRead(size);
    }
  }

  @Test
  void fullLaneIsRefilledFromEveryOffset() {
    for (int offset = 8; offset <= LAST_OFFSET; offset += 8) {
      goTo(offset);
      int filled = 0;
      while (lane.write(56)) {
        filled += 56;
      }
      // All but the chunk that must be clear ahead, a lap's padding and the word after the tail.
      assertThat(filled).isGreaterThan(WrittenLane.CAPACITY - 512 - 2 * 64);
      assertThat(filled).isLessThanOrEqualTo(WrittenLane.CAPACITY);
      drain();
    }
  }

  @Test
  void roomPromisedIsRoomFromEveryOffset() {
    for (int offset = 8; offset <= LAST_OFFSET; offset += 8) {
      goTo(offset);
      int frames = 0;
      while (lane.writer.hasRoomFor(400)) {
        assertThat(lane.write(200)).isTrue();
        assertThat(lane.write(200)).isTrue();
        frames++;
      }
      assertThat(frames).as("messages of 400 bytes from offset " + offset).isGreaterThan(3);
      drain();
    }
  }

  @Test
  void fullLaneHasRoomForItsLastFrameFromEveryOffset() {
    for (int offset = 8; offset <= LAST_OFFSET; offset += 8) {
      lane = new WrittenLane();
      reader = new LaneReader(0, lane.memory, true, taken);
      goTo(LAST_OFFSET); // what lies behind the tail from here on is a former lap's
      goTo(offset);
      while (lane.write(56)) {
        // until it is full
      }
      lane.end();
      drain();
      assertThat(reader.hasMoved()).isTrue();
      assertThat(reader.drain()).isZero();
    }
  }

  private void goTo(int offset) {
    while (lane.ringOffset() != offset) {
      int here = lane.ringOffset();
      int rest = (offset > here ? offset : LAST_OFFSET) - here;
      // At the last offset nothing fits: whatever comes starts the next lap.
      writeAndRead(Math.max(Frame.HEADER_BYTES, Math.min(WrittenLane.MAX_FRAME_BYTES, rest)));
    }
  }

  private void writeAndRead(int size) {
    if (!lane.write(size)) {
      throw new AssertionError("an empty lane is full at offset " + lane.ringOffset());
    }
    drain();
  }

  private void drain() {
    while (reader.drain() > 0) {
      lane.assertNextAre(taken);
    }
    assertThat(lane.underWay).isEmpty();
    assertThat(reader.position()).isEqualTo(lane.writer.tail());
  }
}
