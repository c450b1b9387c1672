// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A message encoded beside the lanes, for those of several peers or to be cut into fragments. Used
 * by the thread that makes it, which closes it.
 */
public final class EncodedMessage implements AutoCloseable {

  /**
   * Where the body starts; before it is room for what the first of several fragments begins with.
   */
  static final int BODY_OFFSET = Frame.FRAGMENT_PREFIX_BYTES;

  private final Arena arena = Arena.ofConfined();
  private final Record message;
  private final MemorySegment segment;
  private final int typeId;
  private final int length;

  /**
   * Encodes a message.
   *
   * @throws io.verbena.MessageTooLargeException if it is larger than {@code maxBytes}
   */
  public EncodedMessage(MessageCodec codec, Record message, long maxBytes) {
    this(codec, message, OutboundLane.bodyBytes(codec, message, maxBytes));
  }

  /**
   * Encodes a message.
   *
   * @param length what the codec says its body has
   */
  EncodedMessage(MessageCodec codec, Record message, int length) {
    this.message = message;
    this.typeId = codec.typeId();
    this.length = length;
    try {
      this.segment = arena.allocate(BODY_OFFSET + (long) length, 8);
      codec.write(message, segment, BODY_OFFSET, length);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  /** What was encoded. */
  Record message() {
    return message;
  }

  int typeId() {
    return typeId;
  }

  /** The length of its body. */
  int length() {
    return length;
  }

  MemorySegment segment() {
    return segment;
  }

  /** The header of the one frame that the message is in a lane where it fits. */
  long header() {
    return Frame.header(Frame.HEADER_BYTES + length, typeId, Frame.MESSAGE, 0);
  }

  /** The message in fragments; this one is still to be closed, that one is not. */
  LargeMessage cut(int maxFrameBytes) {
    return new LargeMessage(Frame.MESSAGE, 0, this, maxFrameBytes);
  }

  /** The message as frames of a backlog. */
  List<Backlog.Queued> queued(int maxFrameBytes) {
    if (length > maxFrameBytes - Frame.HEADER_BYTES) {
      return cut(maxFrameBytes).queuedFrames();
    }
    byte[] rest = segment.asSlice(BODY_OFFSET, length).toArray(ValueLayout.JAVA_BYTE);
    return List.of(new Backlog.Queued(header(), rest));
  }

  @Override
  public void close() {
    arena.close();
  }
}
