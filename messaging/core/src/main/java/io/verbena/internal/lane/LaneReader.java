// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import io.verbena.VerbenaException;
import io.verbena.internal.event.Words;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of a lane: finds whole frames and hands them on. Used by the thread that holds
 * the transport's role.
 *
 * <p>The reader stops behind {@link Frame#MOVED}, a lane's last frame. The lane that goes on for it
 * may arrive before that frame has been read. It is not read until {@link #follow} gives it a sink.
 */
public final class LaneReader implements InboundLane {

  private final int id;
  private final LaneMemory memory;
  private final MemorySegment segment;
  private @Nullable FrameSink sink;
  private final long capacity;
  private final long mask;
  private final long quantum;
  private final int maxFrameBytes;

  private long position;
  private long received;
  private long finalPosition = Long.MAX_VALUE;
  private boolean moved;
  private boolean broken;

  /**
   * @param inPlace whether the far side writes to this very memory
   * @param sink takes the frames; null if {@link #follow} is to give it
   */
  public LaneReader(int id, LaneMemory memory, boolean inPlace, @Nullable FrameSink sink) {
    this.id = id;
    this.memory = memory;
    this.segment = memory.segment();
    this.sink = sink;
    this.capacity = memory.capacity();
    this.mask = capacity - 1;
    this.quantum = capacity / 8;
    this.maxFrameBytes = LaneWriter.maxFrameBytes(capacity);
    this.received = inPlace ? Long.MAX_VALUE : 0;
  }

  @Override
  public int id() {
    return id;
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
  public void received(long newReceived) {
    received = newReceived;
  }

  /** The position up to which frames were handed on. */
  public long position() {
    return position;
  }

  /** Frames are read from now on and go to this sink. */
  public void follow(FrameSink newSink) {
    sink = newSink;
  }

  /** Whether there is a sink that takes the frames. */
  public boolean isFollowed() {
    return sink != null;
  }

  /** Whether {@link Frame#MOVED} was read, so that another lane goes on for this one. */
  public boolean hasMoved() {
    return moved;
  }

  /** The far side has said that it writes nothing beyond this position. */
  public void finishAt(long newFinalPosition) {
    finalPosition = newFinalPosition;
  }

  /** Whether everything the far side will ever write has been handed on. */
  public boolean isFinished() {
    return position >= finalPosition;
  }

  @Override
  public int drain() {
    FrameSink taker = sink;
    if (broken || moved || taker == null) {
      return 0;
    }
    long from = position;
    try {
      if (!drainUpTo(Math.min(received, from + quantum), taker) && position == from) {
        return PAUSED;
      }
    } catch (ProtocolException e) {
      stop(taker, String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      if (segment.scope().isAlive()) {
        throw new VerbenaException(
            "lane " + id + ": a message could not be taken: " + Words.of(e), e);
      }
      broken = true; // the session is over and has closed the memory's scope
    } catch (InternalError e) {
      // The JVM throws this for a page that is not there. It would in every round, so this lane is
      // stopped; otherwise the other lanes would starve.
      stop(taker, "lane " + id + ": its memory is gone, somebody cut the file short");
    } finally {
      if (position != from && !broken) {
        memory.consumed(position);
      }
    }
    return (int) (position - from);
  }

  /** Returns false if a frame has to wait. */
  private boolean drainUpTo(long stop, FrameSink taker) throws ProtocolException {
    long at = position;
    try {
      while (at < stop && !moved) {
        long offset = LaneMemory.DATA_OFFSET + (at & mask);
        long header = Frame.acquire(segment, offset);
        if (header == 0) {
          checkGap(at);
          break;
        }
        int length = Frame.length(header);
        long lapRest = capacity - (at & mask);
        if (length < Frame.HEADER_BYTES || length > lapRest) {
          throw new ProtocolException(
              "lane "
                  + id
                  + ": a frame of "
                  + length
                  + " bytes at position "
                  + at
                  + "; 8 to "
                  + lapRest
                  + " are possible there");
        }
        long next = at + Frame.align(length);
        if (next > received) {
          break; // the rest of the frame is still on the wire
        }
        int kind = Frame.kind(header);
        if (kind != Frame.PAD) {
          if (length > maxFrameBytes) {
            throw new ProtocolException(
                "lane " + id + ": a frame of " + length + " bytes; the limit is " + maxFrameBytes);
          }
          if (taker.mustWait(kind)) {
            return false;
          }
          long taken = at;
          at = next; // before the sink is called: a frame at which it throws is not read again
          moved = kind == Frame.MOVED;
          taker.frame(segment, LaneMemory.DATA_OFFSET + (taken & mask), header);
        } else {
          at = next;
        }
      }
      return true;
    } finally {
      position = at;
    }
  }

  /** An empty header in a replica, below the received position, is the sender's fault. */
  private void checkGap(long at) throws ProtocolException {
    if (received != Long.MAX_VALUE && at + Frame.HEADER_BYTES <= received) {
      throw new ProtocolException("lane " + id + ": an empty header at position " + at);
    }
  }

  private void stop(FrameSink taker, String reason) {
    broken = true;
    taker.broken(reason);
  }
}
