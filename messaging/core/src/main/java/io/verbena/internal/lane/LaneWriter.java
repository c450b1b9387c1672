// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import io.verbena.internal.memory.ProcessMemory;
import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;

/**
 * The writing end of a lane: claims room, publishes frames. One thread at a time.
 *
 * <p>The writer zeroes ahead: it clears a chunk in one burst before it writes frames to it, which
 * fetches the chunk's cache lines for writing. A frame of a chunk or more is written over what an
 * earlier lap has left there, and only what lies behind it is cleared: its own bytes would pass the
 * processor twice. Before a header is released, the 8 bytes behind its frame are zero. So a reader
 * can go on from frame to frame without asking for the tail. The writer keeps 16 bytes clear, so
 * that {@link #end} finds room in a full lane.
 *
 * <p>One compare of {@code tail + length} with {@code limit} covers all rare cases: the end of a
 * chunk, the end of a lap, a full lane.
 */
public final class LaneWriter {

  /** {@link #claim} found no room. */
  public static final long FULL = -1;

  private static final int CHUNK_BYTES = 8192;
  private static final byte LEFT_BY_EARLIER_FRAMES = (byte) 0xA5;
  private static final long ON_HEAP = 0; // where the collector moves it

  /** Kept clear behind each frame: room for the last frame, and for the empty header behind it. */
  private static final int RESERVE_BYTES = 2 * Frame.HEADER_BYTES;

  private final LaneMemory memory;
  private final MemorySegment segment;
  private final long capacity;
  private final long mask;
  private final long chunk;

  private final long address;

  private long tail; // position of the next frame
  private long limit; // frames may end up to here without looking further
  private long zeroed; // zero from tail to here, but in a large claim; never beyond the lap's end
  private long lapEnd; // position where the ring starts over
  private boolean ended;

  /** Starts at position 0 of a lane that was never written to. */
  public LaneWriter(LaneMemory memory) {
    this.memory = memory;
    this.segment = memory.segment();
    this.address = segment.isNative() ? segment.address() : ON_HEAP;
    this.capacity = memory.capacity();
    this.mask = capacity - 1;
    this.chunk = chunkBytes(capacity);
    this.lapEnd = capacity;
    this.limit = -RESERVE_BYTES;
  }

  /** The largest frame a lane of this capacity takes; larger messages are fragmented. */
  public static int maxFrameBytes(long capacity) {
    return (int) Math.min(capacity / 4, 1 << 30);
  }

  /** The position up to which frames are published. */
  public long tail() {
    return tail;
  }

  /** The lane's memory. */
  public LaneMemory memory() {
    return memory;
  }

  /**
   * Claims room for a frame; {@link #publish} or {@link #abort} follows.
   *
   * @param frameBytes a multiple of 8; there is never room for more than {@link #maxFrameBytes}
   * @return its offset in the memory's segment, or {@link #FULL}; behind a header of zero lies
   *     there what earlier frames have left
   */
  public long claim(int frameBytes) {
    if (tail + frameBytes > limit && !makeRoom(frameBytes)) {
      return FULL;
    }
    long offset = LaneMemory.DATA_OFFSET + (tail & mask);
    assert scribble(offset, frameBytes);
    return offset;
  }

  /** Where assertions are on, nobody who writes less than all finds zeros by chance. */
  private boolean scribble(long offset, int frameBytes) {
    segment
        .asSlice(offset + Frame.HEADER_BYTES, frameBytes - Frame.HEADER_BYTES)
        .fill(LEFT_BY_EARLIER_FRAMES);
    return true;
  }

  /** Whether {@link #claim} would find room for a frame; nothing is claimed. */
  public boolean hasRoomForFrame(int frameBytes) {
    return !ended
        && frameBytes <= maxFrameBytes(capacity)
        && roomFrom(frameBytes) <= memory.consumed();
  }

  /** Publishes the frame claimed last. */
  public void publish(long offset, long header, int frameBytes) {
    tail += frameBytes;
    if (address != ON_HEAP) {
      ProcessMemory.setRelease(address + offset, header); // the claim has looked where that is
    } else {
      Frame.publish(segment, offset, header);
    }
  }

  /** Gives up the frame claimed last, whatever was written to it. */
  public void abort(long offset, int frameBytes) {
    segment.asSlice(offset, frameBytes).fill((byte) 0);
  }

  /**
   * Publishes the lane's last frame, which has no body. There is always room for it. Every later
   * {@link #claim} returns {@link #FULL}.
   */
  public void end(long header) {
    long offset = LaneMemory.DATA_OFFSET + (tail & mask);
    ended = true;
    limit = Long.MIN_VALUE;
    publish(offset, header, Frame.HEADER_BYTES);
    memory.hint(tail);
  }

  /** Whether frames of so many bytes in all would fit now, if each is at most a quarter. */
  public boolean hasRoomFor(long totalBytes) {
    // The end of a lap may waste one frame's room, and a chunk must be clear ahead.
    return roomForAllFrom(totalBytes) <= memory.consumed();
  }

  /** The most that {@link #hasRoomFor} can find room for in a lane of this capacity. */
  public static long mostBytesAtOnce(long capacity) {
    return capacity - maxFrameBytes(capacity) - chunkBytes(capacity);
  }

  private static long chunkBytes(long capacity) {
    return Math.min(CHUNK_BYTES, capacity / 8);
  }

  /**
   * The consumed position from which on {@link #claim} finds room for a frame, if nothing else is
   * written before.
   */
  public long roomFrom(int frameBytes) {
    boolean startsLap = tail + frameBytes > lapEnd - RESERVE_BYTES;
    long needed =
        startsLap
            ? lapEnd + Math.max(chunk, frameBytes + RESERVE_BYTES)
            : tail + frameBytes + RESERVE_BYTES;
    return needed - capacity;
  }

  /** The same for {@link #hasRoomFor}. */
  public long roomForAllFrom(long totalBytes) {
    return tail + totalBytes + maxFrameBytes(capacity) + chunk - capacity;
  }

  private boolean makeRoom(int frameBytes) {
    if (ended || frameBytes > maxFrameBytes(capacity)) {
      return false;
    }
    memory.hint(tail);
    long free = memory.consumed() + capacity;
    if (tail + frameBytes > lapEnd - RESERVE_BYTES && !startLap(free)) {
      return false;
    }
    long end = tail + frameBytes;
    if (end + RESERVE_BYTES > zeroed && !clearBehind(end, frameBytes >= chunk, free)) {
      return false;
    }
    limit = zeroed - RESERVE_BYTES;
    return true;
  }

  private boolean startLap(long free) {
    if (lapEnd + chunk > free) {
      return false;
    }
    zero(lapEnd, lapEnd + chunk);
    int rest = (int) (lapEnd - tail);
    Frame.publish(
        segment, LaneMemory.DATA_OFFSET + (tail & mask), Frame.header(rest, 0, Frame.PAD, 0));
    tail = lapEnd;
    zeroed = lapEnd + chunk;
    lapEnd += capacity;
    return true;
  }

  /** Clears what follows a frame and, if that is no large one, the frame's own room. */
  private boolean clearBehind(long end, boolean isLarge, long free) {
    long needed = end + RESERVE_BYTES;
    if (needed > free) {
      return false;
    }
    long chunkEnd = (needed + chunk - 1) / chunk * chunk;
    long to = isLarge ? needed : Math.min(Math.min(chunkEnd, lapEnd), free);
    zero(isLarge ? Math.max(zeroed, end) : zeroed, to);
    zeroed = to;
    return true;
  }

  private void zero(long from, long to) {
    segment.asSlice(LaneMemory.DATA_OFFSET + (from & mask), to - from).fill((byte) 0);
  }
}
