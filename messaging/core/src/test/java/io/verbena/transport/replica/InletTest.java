// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a link's peer says of bytes is judged before it counts. */
class InletTest {

  private static final int CAPACITY = 4096;

  private final Granting granting = new Granting();
  private StillLane lane;

  @BeforeEach
  void makeLane() throws IOException {
    lane = new StillLane(ReplicaMemory.allocate(CAPACITY));
  }

  @AfterEach
  void freeLane() {
    lane.memory().close();
  }

  @Test
  void grantFollowsResume() {
    ByteBuffer out = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    assertThat(new Inlet(lane, granting).putControl(out)).isTrue();

    out.flip();
    assertThat(segment(out)).isEqualTo("RESUME 0");
    assertThat(segment(out)).isEqualTo("PLACE_AT 74565");
    assertThat(segment(out)).isEqualTo("PLACE_KEY 4294967294");
    assertThat(out.hasRemaining()).isFalse();
  }

  @Test
  void withoutGrantNothingIsSaidOfPlacesAndNothingMayBePlaced() {
    Inlet inlet = new Inlet(lane, Replicas.COPIED);
    ByteBuffer out = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    inlet.putControl(out);

    assertThat(out.position()).isEqualTo(Segment.HEADER_BYTES);
    assertThatThrownBy(() -> inlet.tookPlaced(0, 64))
        .isInstanceOf(BadSegmentException.class)
        .hasMessageContaining("placed where nothing may be");
  }

  /** Where each side answers the other, reports ride with the answers, however small the lane. */
  @Test
  void whatHasBeenReportedWithOtherBytesIsNotUrgent() throws BadSegmentException {
    Inlet inlet = new Inlet(lane, granting);
    ByteBuffer out = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    int message = CAPACITY / 16;
    for (int i = 0; i < 8; i++) {
      inlet.tookPlaced((long) i * message, message);
      lane.consume(message);
      assertThat(inlet.deliver()).as("after %d messages", i + 1).isFalse();
      inlet.putControl(out.clear());
    }
  }

  @Test
  void aPartOfTheLaneThatIsNotReportedIsUrgent() throws BadSegmentException {
    Inlet inlet = new Inlet(lane, granting);
    int message = CAPACITY / 16;
    for (int i = 0; i < 8; i++) {
      inlet.tookPlaced((long) i * message, message);
      lane.consume(message);
      assertThat(inlet.deliver()).as("after %d messages", i + 1).isEqualTo(i % 2 == 1);
    }
  }

  @Test
  void placedBytesFollowEachOtherAcrossTheEndAndFit() throws BadSegmentException {
    Inlet inlet = new Inlet(lane, granting);

    inlet.tookPlaced(0, 4000);
    assertThatThrownBy(() -> inlet.tookPlaced(4000, 104)).hasMessageContaining("room up to 4096");
    assertThatThrownBy(() -> inlet.tookPlaced(3992, 8))
        .hasMessageContaining("next position is 4000");
    assertThatThrownBy(() -> inlet.tookPlaced(4000, 12)).hasMessageContaining("multiple of 8");
    assertThatThrownBy(() -> inlet.tookPlaced(4000, 0)).hasMessageContaining("multiple of 8");
    assertThatThrownBy(() -> inlet.tookPlaced(4000, -8)).hasMessageContaining("multiple of 8");
    lane.memory().consumed(1000);
    inlet.tookPlaced(4000, 1000);
    inlet.deliver();

    assertThat(lane.received()).isEqualTo(5000);
  }

  @Test
  void copiedBytesGoOnAtTheRingsStart() throws BadSegmentException {
    Inlet inlet = new Inlet(lane, granting);
    byte[] bytes = new byte[1096];
    bytes[95] = 1;
    bytes[96] = 2;
    inlet.tookPlaced(0, 4000);
    lane.memory().consumed(4000);

    inlet.takeAcrossEnd(4000, MemorySegment.ofArray(bytes), 0, bytes.length);

    assertThat(lane.memory().segment().get(ValueLayout.JAVA_BYTE, 4096 + 4095)).isEqualTo((byte) 1);
    assertThat(lane.memory().segment().get(ValueLayout.JAVA_BYTE, 4096)).isEqualTo((byte) 2);
  }

  private static String segment(ByteBuffer in) {
    in.getInt();
    String name = Segment.nameOf(in.get());
    in.get();
    in.getShort();
    return name + " " + in.getLong();
  }

  /** Grants everything. */
  private static final class Granting implements Replicas {
    @Override
    public LaneMemory allocate(long capacity) throws IOException {
      return COPIED.allocate(capacity);
    }

    @Override
    public Grant grant(LaneMemory memory) {
      return new Grant(0x12345, -2);
    }
  }

  /** Is never drained. */
  private static final class StillLane implements InboundLane {
    private final LaneMemory memory;
    private long received;
    private int toConsume;

    StillLane(LaneMemory memory) {
      this.memory = memory;
    }

    /** The next drain hands on so many bytes. */
    void consume(int bytes) {
      toConsume = bytes;
    }

    @Override
    public int id() {
      return 3;
    }

    @Override
    public LaneMemory memory() {
      return memory;
    }

    @Override
    public long received() {
      return received;
    }

    @Override
    public void received(long position) {
      received = position;
    }

    @Override
    public int drain() {
      int bytes = toConsume;
      toConsume = 0;
      memory.consumed(memory.consumed() + bytes);
      return bytes;
    }
  }
}
