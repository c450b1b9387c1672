// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.replica.Replicas.Grant;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One incoming lane on one link: fills the replica, drains it, reports. By the loop's role. */
public final class Inlet {

  private final int id;
  private final InboundLane lane;
  private final LaneMemory memory;
  private final ByteBuffer view;
  private final long capacity;
  private final long reportAfter;
  private final @Nullable Grant grant; // what the far side may write to itself

  private long position; // of the next byte of the stream
  private boolean paused;

  // Set by the loop, taken by whoever writes.
  private volatile boolean resumeDue = true;
  private volatile boolean reportDue;
  private volatile long consumed;
  private long resumeAt;
  private volatile long reported; // what the far side knows or will know

  /** Goes on where the lane is. */
  public Inlet(InboundLane lane, Replicas replicas) {
    this.id = lane.id();
    this.lane = lane;
    this.memory = lane.memory();
    this.view = memory.segment().asByteBuffer();
    this.capacity = memory.capacity();
    this.reportAfter = capacity / 8;
    this.grant = replicas.grant(memory);
    this.position = lane.received();
    this.resumeAt = position;
    this.consumed = memory.consumed();
    this.reportDue = consumed > 0; // earlier reports may have been lost with the former link
    this.reported = consumed;
  }

  /** The lane's id. */
  public int id() {
    return id;
  }

  /** The memory read from. */
  LaneMemory memory() {
    return memory;
  }

  // ---------------------------------------------------------------- receiving

  /** Judges what is to come: {@code length} bytes of the stream from {@code from} on. */
  public void check(long from, long length) throws BadSegmentException {
    checkNext(from, length);
    if (length > capacity - (from & capacity - 1)) {
      throw bad(from, length, "; it crosses the ring's end");
    }
    checkRoom(from, length);
  }

  private void checkNext(long from, long length) throws BadSegmentException {
    if (from != position) {
      throw bad(from, length, "; the next position is " + position);
    }
    if (length <= 0 || (length & 7) != 0) {
      throw bad(from, length, "; the length must be a multiple of 8, not 0");
    }
  }

  private void checkRoom(long from, long length) throws BadSegmentException {
    long end = memory.consumed() + capacity;
    if (from + length > end) {
      throw bad(from, length, "; there is room up to " + end);
    }
  }

  private BadSegmentException bad(long from, long length, String why) {
    return new BadSegmentException(
        "DATA of lane " + id + " at " + from + " with " + length + " bytes" + why);
  }

  /** Copies bytes in. */
  public void take(MemorySegment from, long offset, int length) {
    MemorySegment.copy(from, offset, memory.segment(), memory.offsetOf(position), length);
    position += length;
  }

  /**
   * Judges bytes and copies them in; they may go on at the ring's start.
   *
   * @param at their position in the stream
   */
  public void takeAcrossEnd(long at, MemorySegment from, long offset, int length)
      throws BadSegmentException {
    checkNext(at, length);
    checkRoom(at, length);
    int first = (int) Math.min(length, capacity - (at & capacity - 1));
    take(from, offset, first);
    if (first < length) {
      take(from, offset + first, length - first);
    }
  }

  /** Judges bytes that the far side has written into the ring itself, as it was granted. */
  public void tookPlaced(long at, int length) throws BadSegmentException {
    if (grant == null) {
      throw bad(at, length, " placed where nothing may be");
    }
    checkNext(at, length);
    checkRoom(at, length);
    position += length;
  }

  /** Where the socket may write the next bytes itself. */
  public ByteBuffer room(int length) {
    int offset = (int) memory.offsetOf(position);
    return view.limit(offset + length).position(offset);
  }

  /** The socket has written bytes into {@link #room}. */
  public void took(int length) {
    position += length;
  }

  /** Hands on what is whole; returns whether a report should not wait. */
  public boolean deliver() {
    lane.received(position & ~7L); // a cut may leave a part of a word: it will come again
    int drained;
    boolean reportNow = false;
    do {
      drained = lane.drain();
      if (drained > 0) {
        reportNow |= report();
      }
    } while (drained > 0);
    paused = drained == InboundLane.PAUSED;
    return reportNow;
  }

  private boolean report() {
    long now = memory.consumed();
    consumed = now;
    reportDue = true; // after the value: who takes the mark reports at least that
    if (now - reported < reportAfter) {
      return false;
    }
    reported = now;
    return true;
  }

  /** Whether handlers have no room for what is here. */
  public boolean isPaused() {
    return paused;
  }

  /** The far side says the lane ends: possible only where all of it is consumed. */
  public void finish(long finalPosition) throws BadSegmentException {
    long done = memory.consumed();
    if (finalPosition != position || finalPosition != done) {
      throw new BadSegmentException(
          "FINISH of lane "
              + id
              + " at "
              + finalPosition
              + "; received "
              + position
              + ", consumed "
              + done);
    }
  }

  // ---------------------------------------------------------------- by whoever writes

  /** Puts what the far side has to know; false if there is no room. */
  public boolean putControl(ByteBuffer out) {
    if (out.remaining() < 4 * Segment.HEADER_BYTES) {
      return false;
    }
    if (resumeDue) {
      resumeDue = false;
      Segment.put(out, 0, Segment.RESUME, id, resumeAt);
      putGrant(out);
    }
    if (reportDue) {
      reportDue = false; // before the value: a later report sets it again
      long value = consumed;
      Segment.put(out, 0, Segment.CONSUMED, id, value);
      reported = value;
    }
    return true;
  }

  private void putGrant(ByteBuffer out) {
    if (grant != null) {
      Segment.put(out, 0, Segment.PLACE_AT, id, grant.address());
      Segment.put(out, 0, Segment.PLACE_KEY, id, Integer.toUnsignedLong(grant.key()));
    }
  }
}
