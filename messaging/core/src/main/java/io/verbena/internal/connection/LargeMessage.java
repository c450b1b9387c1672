// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A message that does not fit in a frame: encoded beside the lane and cut into fragment frames, at
 * which one looks in turn with {@link #next}. Used by the thread that makes it, which closes it.
 *
 * <p>The message lies in a segment as its body would lie in one frame, with {@link
 * Frame#FRAGMENT_PREFIX_BYTES} free before it for what the first fragment starts with.
 */
final class LargeMessage implements AutoCloseable {

  private final EncodedMessage encoded;
  private final MemorySegment segment;
  private final long totalBytes;
  private final int fragmentBytes;
  private long offset;
  private long cut;
  private long header;

  /**
   * Encodes a message.
   *
   * @param length what the codec says its body has
   * @param maxFrameBytes the largest frame of the lane it will be on
   */
  LargeMessage(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length,
      int maxFrameBytes) {
    this(kind, correlation, new EncodedMessage(codec, message, length), maxFrameBytes);
  }

  /**
   * Cuts a message that is encoded, which is closed with this one.
   *
   * @param maxFrameBytes the largest frame of the lane it will be on
   */
  LargeMessage(int kind, long correlation, EncodedMessage encoded, int maxFrameBytes) {
    this.encoded = encoded;
    this.segment = encoded.segment();
    this.totalBytes = Frame.FRAGMENT_PREFIX_BYTES + (long) encoded.length();
    this.fragmentBytes = maxFrameBytes - Frame.HEADER_BYTES;
    int whole = Frame.HEADER_BYTES + Frame.prefixBytes(kind) + encoded.length();
    Frame.putLong(segment, 0, Frame.header(whole, encoded.typeId(), kind, 0));
    Frame.putLong(segment, 8, correlation);
  }

  /** What the frames take in the lane, at most. */
  long laneBytes() {
    return laneBytes(encoded.length(), fragmentBytes + Frame.HEADER_BYTES);
  }

  /** As above, of a message whose body has this length. */
  static long laneBytes(int length, int maxFrameBytes) {
    long totalBytes = Frame.FRAGMENT_PREFIX_BYTES + (long) length;
    int fragmentBytes = maxFrameBytes - Frame.HEADER_BYTES;
    long count = (totalBytes + fragmentBytes - 1) / fragmentBytes;
    return totalBytes + count * (Frame.HEADER_BYTES + 8);
  }

  /** Goes on to the next fragment; false if there is none. */
  boolean next() {
    if (cut >= totalBytes) {
      return false;
    }
    long bytes = Math.min(fragmentBytes, totalBytes - cut);
    int place = (cut == 0 ? Frame.FIRST : 0) | (cut + bytes == totalBytes ? Frame.LAST : 0);
    header = Frame.header((int) bytes + Frame.HEADER_BYTES, 0, Frame.FRAGMENT, place);
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

  /** All fragments, copied, as frames of a backlog, which say that they went through one. */
  List<Backlog.Queued> queuedFrames() {
    List<Backlog.Queued> frames = new ArrayList<>();
    while (next()) {
      frames.add(copy(Frame.QUEUED));
    }
    return frames;
  }

  /** The current fragment and all that follow, copied: they outlive this. */
  List<Backlog.Queued> restOfFrames() {
    List<Backlog.Queued> frames = new ArrayList<>();
    do {
      frames.add(copy(0));
    } while (next());
    return frames;
  }

  private Backlog.Queued copy(int moreFlags) {
    int length = Frame.length(header);
    byte[] rest =
        segment.asSlice(offset, length - Frame.HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE);
    int flags = Frame.flags(header) | moreFlags;
    return new Backlog.Queued(Frame.header(length, 0, Frame.FRAGMENT, flags), rest);
  }

  @Override
  public void close() {
    encoded.close();
  }
}
