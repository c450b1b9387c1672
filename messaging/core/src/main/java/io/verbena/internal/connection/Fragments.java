// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Cuts an encoded message into fragment frames.
 *
 * <p>The message lies in a segment as its body would lie in one frame, with {@link
 * Frame#FRAGMENT_PREFIX_BYTES} free before it for what the first fragment starts with.
 */
final class Fragments {

  private final MemorySegment segment;
  private final int bodyBytes;
  private final int fragmentBytes;
  private final int flags;
  private long offset;
  private long cut;
  private long header;

  /**
   * @param segment prefix room, then the body
   * @param maxFrameBytes the largest frame
   * @param queued whether the fragments go through a backlog
   */
  Fragments(
      int kind,
      int typeId,
      long correlation,
      MemorySegment segment,
      int bodyBytes,
      int maxFrameBytes,
      boolean queued) {
    this.segment = segment;
    this.bodyBytes = bodyBytes;
    this.fragmentBytes = maxFrameBytes - Frame.HEADER_BYTES;
    this.flags = queued ? Frame.QUEUED : 0;
    int whole = Frame.HEADER_BYTES + Frame.prefixBytes(kind) + bodyBytes;
    Frame.putLong(segment, 0, Frame.header(whole, typeId, kind, 0));
    Frame.putLong(segment, 8, correlation);
  }

  /** A message encoded as it is to be cut. */
  static MemorySegment allocate(Arena arena, MessageCodec codec, Record message, int length) {
    MemorySegment whole = arena.allocate(Frame.FRAGMENT_PREFIX_BYTES + (long) length, 8);
    codec.write(message, whole, Frame.FRAGMENT_PREFIX_BYTES, length);
    return whole;
  }

  /** What the frames take in the lane, at most. */
  long laneBytes() {
    long total = (long) Frame.FRAGMENT_PREFIX_BYTES + bodyBytes;
    long count = (total + fragmentBytes - 1) / fragmentBytes;
    return total + count * (Frame.HEADER_BYTES + 8);
  }

  /** Goes on to the next fragment; false if there is none. */
  boolean next() {
    long total = (long) Frame.FRAGMENT_PREFIX_BYTES + bodyBytes;
    if (cut >= total) {
      return false;
    }
    long bytes = Math.min(fragmentBytes, total - cut);
    int place = (cut == 0 ? Frame.FIRST : 0) | (cut + bytes == total ? Frame.LAST : 0);
    header = Frame.header((int) bytes + Frame.HEADER_BYTES, 0, Frame.FRAGMENT, flags | place);
    offset = cut;
    cut += bytes;
    return true;
  }

  /** The current fragment's header. */
  long header() {
    return header;
  }

  /** Holds the current fragment's bytes. */
  MemorySegment segment() {
    return segment;
  }

  /** Where they start. */
  long offset() {
    return offset;
  }
}
