// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.faulty;

import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a transport, which fills one ring, and a lane, which reads another: copies frame
 * by frame, and now and then one not at all, twice, with a bit changed, or with a word of another.
 */
final class FaultyLane implements InboundLane {

  private static final long NO_WORD = -1;
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final LaneMemory filled;
  private final LaneWriter writer;
  private final InboundLane lane;
  private final FaultSource faults;
  private long copied; // positions of the ring that the transport fills
  private long received;
  private long wordBefore = NO_WORD; // the last one of the message before, not yet drained

  private FaultyLane(LaneMemory filled, LaneWriter writer, InboundLane lane, FaultSource faults) {
    this.filled = filled;
    this.writer = writer;
    this.lane = lane;
    this.faults = faults;
  }

  /** The two rings of a lane, which are made if the node has none of that id. */
  static final class Rings implements LinkEvents.MemorySource {
    private final long capacity;
    private final LinkEvents.MemorySource source;
    private @Nullable LaneMemory filled;
    private @Nullable LaneMemory read;

    Rings(long capacity, LinkEvents.MemorySource source) {
      this.capacity = capacity;
      this.source = source;
    }

    @Override
    public LaneMemory get() throws IOException {
      LaneMemory outer = source.get();
      LaneMemory inner =
          new LaneMemory(
              Arena.ofAuto().allocate(LaneMemory.DATA_OFFSET + capacity, 64), outer::close);
      filled = outer;
      read = inner;
      return inner;
    }

    /** What stands before a lane that reads the second ring. */
    FaultyLane before(InboundLane lane, FaultSource faults) {
      return new FaultyLane(
          Objects.requireNonNull(filled),
          new LaneWriter(Objects.requireNonNull(read)),
          lane,
          faults);
    }
  }

  @Override
  public int id() {
    return lane.id();
  }

  @Override
  public LaneMemory memory() {
    return filled;
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
    long before = copied;
    while (copyFrame()) {
      // there may be another
    }
    if (copied != before) {
      filled.consumed(copied);
    }
    lane.received(writer.tail());
    wordBefore = NO_WORD;
    int drained = lane.drain();
    return drained == 0 ? (int) (copied - before) : drained;
  }

  private boolean copyFrame() {
    if (copied + Frame.HEADER_BYTES > received) {
      return false;
    }
    long header = filled.header(copied);
    int bytes = Frame.align(Frame.length(header));
    if (header == 0 || copied + bytes > received) {
      return false;
    }
    // Room for two: the fault is decided once.
    if (Frame.kind(header) != Frame.PAD) {
      if (!writer.hasRoomFor(2L * bytes)) {
        return false;
      }
      copyMessage(header, bytes);
    }
    copied += bytes;
    return true;
  }

  private void copyMessage(long header, int bytes) {
    Fault fault = isMessage(header) ? faults.next() : null;
    if (fault != Fault.DROP) {
      write(header, bytes, fault);
    }
    if (fault == Fault.REPEAT) {
      write(header, bytes, null);
    }
  }

  private void write(long header, int bytes, @Nullable Fault fault) {
    long at = writer.claim(bytes);
    if (at == LaneWriter.FULL) {
      throw new IllegalStateException("there was room for two");
    }
    MemorySegment to = writer.memory().segment();
    int body = Frame.length(header) - Frame.HEADER_BYTES;
    long from = filled.offsetOf(copied) + Frame.HEADER_BYTES;
    MemorySegment.copy(filled.segment(), from, to, at + Frame.HEADER_BYTES, body);
    if (fault == Fault.CORRUPT) {
      // In the middle of what the user sent: neither the length of an array nor a correlation id.
      int prefix = Frame.prefixBytes(Frame.kind(header));
      long place = at + Frame.HEADER_BYTES + prefix + (body - prefix) / 2;
      to.set(ValueLayout.JAVA_BYTE, place, (byte) (to.get(ValueLayout.JAVA_BYTE, place) ^ 0x10));
    }
    if (fault == Fault.SWAP) {
      faults.owesSwap();
    }
    swapLastWord(to, header, at + Frame.HEADER_BYTES + body - Long.BYTES);
    writer.publish(at, header, bytes);
  }

  /** Whether a frame carries what a user sent: the others keep the connection going. */
  private static boolean isMessage(long header) {
    return Frame.kind(header) != Frame.CONTROL && Frame.kind(header) != Frame.MOVED;
  }

  /**
   * With the message before: a swap that is due waits until there is one, in another lane if this
   * one has been left for it.
   */
  private void swapLastWord(MemorySegment in, long header, long at) {
    int body = Frame.length(header) - Frame.HEADER_BYTES;
    if (body < Long.BYTES || !isMessage(header)) {
      return;
    }
    if (wordBefore != NO_WORD && faults.takesSwap()) {
      long word = in.get(WORD, at);
      in.set(WORD, at, in.get(WORD, wordBefore));
      in.set(WORD, wordBefore, word);
    }
    wordBefore = at;
  }
}
