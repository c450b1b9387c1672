// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reading end does with lanes that are slow, hostile or gone. */
class LaneReaderTest {

  private final WrittenLane lane = new WrittenLane();
  private final TakenFrames taken = new TakenFrames();
  private final LaneReader reader = new LaneReader(3, lane.memory, true, taken);

  private void putHeader(long position, long header) {
    Frame.putLong(lane.memory.segment(), lane.memory.offsetOf(position), header);
  }

  @Test
  void emptyLaneYieldsNothing() {
    assertThat(reader.drain()).isZero();
    assertThat(lane.memory.consumed()).isZero();
  }

  @Test
  void consumedPositionIsPublishedAfterAnEighthOfTheRing() {
    for (int i = 0; i < 30; i++) {
      lane.write(64);
    }
    assertThat(reader.drain()).isEqualTo(512);
    assertThat(lane.memory.consumed()).isEqualTo(512);
    assertThat(taken.frames).hasSize(8);
  }

  @Test
  void frameThatIsNotPublishedIsNotSeen() {
    lane.write(24);
    long at = lane.writer.claim(64);
    lane.memory.segment().asSlice(at + 8, 56).fill((byte) 1); // its writer dies here
    assertThat(reader.drain()).isEqualTo(24);
    assertThat(reader.drain()).isZero();
    lane.assertNextAre(taken);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -8, 1, 7, 4097, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void lengthThatCannotBeBreaksTheLane(int length) {
    putHeader(0, Frame.header(length, 1, Frame.MESSAGE, 0));
    assertThat(reader.drain()).isZero();
    assertThat(taken.brokenBecause)
        .isEqualTo(
            "lane 3: a frame of " + length + " bytes at position 0; 8 to 4096 are possible there");
    assertThat(taken.frames).isEmpty();
  }

  @Test
  void frameBeyondTheRingsEndBreaksTheLane() {
    for (int i = 0; i < 4; i++) {
      assertThat(lane.write(1000)).isTrue();
    }
    while (reader.drain() > 0) {
      // to where 96 bytes are left
    }
    putHeader(4000, Frame.header(104, 1, Frame.MESSAGE, 0));
    assertThat(reader.drain()).isZero();
    assertThat(taken.brokenBecause).endsWith("at position 4000; 8 to 96 are possible there");
  }

  @Test
  void frameBeyondAQuarterOfTheRingBreaksTheLane() {
    putHeader(0, Frame.header(WrittenLane.MAX_FRAME_BYTES + 1, 1, Frame.MESSAGE, 0));
    reader.drain();
    assertThat(taken.brokenBecause).isEqualTo("lane 3: a frame of 1025 bytes; the limit is 1024");
  }

  @Test
  void paddingMayFillALap() {
    putHeader(0, Frame.header(WrittenLane.CAPACITY, 0, Frame.PAD, 0));
    assertThat(reader.drain()).isEqualTo(WrittenLane.CAPACITY);
    assertThat(taken.frames).isEmpty();
    assertThat(taken.brokenBecause).isNull();
  }

  @Test
  void brokenLaneIsNotReadOn() {
    putHeader(0, Frame.header(4, 1, Frame.MESSAGE, 0));
    reader.drain();
    putHeader(0, Frame.header(8, 1, Frame.MESSAGE, 0));
    assertThat(reader.drain()).isZero();
    assertThat(taken.frames).isEmpty();
    assertThat(lane.memory.consumed()).isZero();
  }

  /** The same exception says that the memory was freed, and then the lane is read no more. */
  @Test
  void illegalStateOfTheSinkIsToldAndTheNextFrameIsRead() {
    lane.write(16);
    lane.write(16);
    taken.failure = new IllegalStateException("on purpose");
    assertThatThrownBy(reader::drain)
        .isNotInstanceOf(IllegalStateException.class)
        .hasCause(taken.failure);
    taken.failure = null;
    assertThat(reader.drain()).isEqualTo(16);
    lane.assertNextAre(taken);
  }

  @Test
  void whatTheSinkRefusesBreaksTheLaneAndIsTakenOnce() {
    lane.write(16);
    lane.write(16);
    taken.refusal = new ProtocolException("no such type");
    assertThat(reader.drain()).isEqualTo(16);
    assertThat(taken.brokenBecause).isEqualTo("no such type");
    assertThat(reader.drain()).isZero();
    assertThat(taken.frames).hasSize(1);
  }

  @Test
  void pausedLaneConsumesNothingAndGoesOnWhereItStopped() {
    lane.write(16);
    lane.write(24);
    taken.paused = true;
    assertThat(reader.drain()).isEqualTo(InboundLane.PAUSED);
    assertThat(lane.memory.consumed()).isZero();
    taken.paused = false;
    assertThat(reader.drain()).isEqualTo(40);
    lane.assertNextAre(taken);
    assertThat(lane.underWay).isEmpty();
  }

  @Test
  void pausedLaneTakesWhatNeedNotWaitUntilAMessageComes() {
    putHeader(0, Frame.header(8, 5, Frame.CONTROL, 0));
    putHeader(8, Frame.header(8, 1, Frame.MESSAGE, 0));
    putHeader(16, Frame.header(8, 5, Frame.CONTROL, 0));
    taken.paused = true;
    assertThat(reader.drain()).isEqualTo(8);
    assertThat(reader.drain()).isEqualTo(InboundLane.PAUSED);
    assertThat(taken.frames).hasSize(1);
  }

  @Test
  void nothingIsReadBehindTheLastFrame() {
    lane.write(16);
    lane.end();
    putHeader(lane.writer.tail(), Frame.header(3, 1, Frame.MESSAGE, 0));
    assertThat(reader.drain()).isEqualTo(24);
    lane.assertNextAre(taken);
    assertThat(reader.hasMoved()).isTrue();
    assertThat(reader.drain()).isZero();
    assertThat(lane.memory.consumed()).isEqualTo(24);
  }

  @Test
  void laneThatNobodyFollowsIsReadOnceSomebodyDoes() {
    LaneReader held = new LaneReader(3, lane.memory, true, null);
    lane.write(16);
    assertThat(held.isFollowed()).isFalse();
    assertThat(held.drain()).isZero();
    assertThat(lane.memory.consumed()).isZero();
    held.follow(taken);
    assertThat(held.drain()).isEqualTo(16);
    lane.assertNextAre(taken);
  }

  @Test
  void headerThatIsEmptyBelowTheReceivedPositionBreaksACopiedLane() {
    LaneReader copied = new LaneReader(3, WrittenLane.memory(), false, taken);
    copied.received(8);
    assertThat(copied.drain()).isZero();
    assertThat(taken.brokenBecause).isEqualTo("lane 3: an empty header at position 0");
  }

  @Test
  void frameOfWhichAPartIsOnTheWireWaitsForTheRest() {
    LaneMemory replica = WrittenLane.memory();
    LaneReader copied = new LaneReader(3, replica, false, taken);
    Frame.putLong(replica.segment(), replica.offsetOf(0), Frame.header(30, 1, Frame.MESSAGE, 0));
    for (int received = 8; received < 32; received += 8) {
      copied.received(received);
      assertThat(copied.drain()).isZero();
    }
    copied.received(32);
    assertThat(copied.drain()).isEqualTo(32);
    assertThat(taken.frames).hasSize(1);
  }

  @Test
  void laneIsFinishedOnceItsFinalPositionIsRead() {
    lane.write(16);
    lane.write(16);
    assertThat(reader.isFinished()).isFalse();
    reader.finishAt(32);
    assertThat(reader.isFinished()).isFalse();
    reader.drain();
    assertThat(reader.isFinished()).isTrue();
  }

  @Test
  void memoryThatWasFreedEndsTheReadingWithoutAnError() {
    Arena arena = Arena.ofShared();
    LaneMemory memory =
        new LaneMemory(
            arena.allocate(LaneMemory.DATA_OFFSET + WrittenLane.CAPACITY, 64), arena::close);
    LaneReader last = new LaneReader(3, memory, true, taken);
    memory.close();
    memory.close();
    assertThat(last.drain()).isZero();
    assertThat(last.drain()).isZero();
    assertThat(taken.brokenBecause).isNull();
  }

  /** Who may open a lane's file may also truncate it. */
  @Test
  void fileThatWasCutShortBreaksItsLaneAndNoOther(@TempDir Path folder) throws IOException {
    long bytes = LaneMemory.DATA_OFFSET + WrittenLane.CAPACITY;
    try (Arena arena = Arena.ofShared();
        FileChannel file =
            FileChannel.open(
                folder.resolve("1.0.lane"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      LaneReader cut = new LaneReader(3, new LaneMemory(mapped, () -> {}), true, taken);
      file.truncate(0);
      assertThat(cut.drain()).isZero();
      assertThat(cut.drain()).isZero();
      assertThat(taken.brokenBecause)
          .isEqualTo("lane 3: its memory is gone, somebody cut the file short");
    }
  }
}
