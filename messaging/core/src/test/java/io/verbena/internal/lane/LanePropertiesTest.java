// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any mixture of writing, giving up and reading leaves what was published, once and in order. */
class LanePropertiesTest {

  private enum Act {
    WRITE,
    ABORT,
    READ
  }

  /**
   * @param bytes of the frame; of the wire, for a copied lane
   */
  record Step(Act act, int bytes) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Act> act = Arbitraries.of(Act.WRITE, Act.WRITE, Act.WRITE, Act.ABORT, Act.READ);
    Arbitrary<Integer> bytes =
        Arbitraries.integers().between(Frame.HEADER_BYTES, WrittenLane.MAX_FRAME_BYTES);
    return net.jqwik.api.Combinators.combine(act, bytes)
        .as(Step::new)
        .list()
        .ofMinSize(20)
        .ofMaxSize(300);
  }

  @Property(tries = 500)
  void laneReadInPlace(@ForAll("steps") List<Step> steps) {
    WrittenLane lane = new WrittenLane();
    TakenFrames taken = new TakenFrames();
    LaneReader reader = new LaneReader(0, lane.memory, true, taken);
    for (Step step : steps) {
      switch (step.act()) {
        case WRITE -> lane.write(step.bytes());
        case ABORT -> lane.abort(step.bytes());
        case READ -> reader.drain();
      }
      lane.assertNextAre(taken);
    }
    drainAll(reader, lane, taken);
  }

  /** What a transport does that copies the ring, in pieces that end anywhere. */
  @Property(tries = 500)
  void laneCopiedInPieces(@ForAll("steps") List<Step> steps) {
    WrittenLane lane = new WrittenLane();
    LaneMemory replica = WrittenLane.memory();
    TakenFrames taken = new TakenFrames();
    LaneReader reader = new LaneReader(0, replica, false, taken);
    Wire wire = new Wire(lane.memory, replica, reader);
    for (Step step : steps) {
      switch (step.act()) {
        case WRITE -> lane.write(step.bytes());
        case ABORT -> lane.abort(step.bytes());
        case READ -> wire.move(step.bytes());
      }
      lane.assertNextAre(taken);
    }
    while (wire.move(64)) {
      // until nothing is left
    }
    drainAll(reader, lane, taken);
  }

  private static void drainAll(LaneReader reader, WrittenLane lane, TakenFrames taken) {
    while (reader.drain() > 0) {
      // an eighth of the ring at a time
    }
    lane.assertNextAre(taken);
    assertThat(lane.underWay).isEmpty();
    assertThat(reader.position()).isEqualTo(lane.writer.tail());
  }

  /** Moves the ring's bytes: whole frames are gathered, but pieces of any size arrive. */
  private static final class Wire {
    private final LaneMemory from;
    private final LaneMemory to;
    private final LaneReader reader;
    private long gathered; // a frame's end
    private long moved;

    Wire(LaneMemory from, LaneMemory to, LaneReader reader) {
      this.from = from;
      this.to = to;
      this.reader = reader;
    }

    /** Moves a piece, drains, and returns the consumed position; false if nothing was left. */
    boolean move(int maxBytes) {
      if (moved == gathered) {
        gathered = from.publishedEnd(gathered, 1000);
      }
      long bytes = Math.min(gathered - moved, maxBytes);
      MemorySegment.copy(
          from.segment(), from.offsetOf(moved), to.segment(), to.offsetOf(moved), bytes);
      moved += bytes;
      reader.received(moved & ~7L); // a part of a word is none yet
      reader.drain();
      from.consumed(to.consumed());
      return bytes > 0;
    }
  }
}
