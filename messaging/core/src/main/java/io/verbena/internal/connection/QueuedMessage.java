// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Encodes a message for the backlog, as the frames it will be on the lane. */
final class QueuedMessage {

  private QueuedMessage() {}

  /**
   * The frames of a message: one if it fits, fragments if not.
   *
   * @param length what the codec says its body has
   * @param maxFrameBytes the largest frame of the lane it will be on
   */
  static List<Backlog.Frame> frames(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length,
      int maxFrameBytes) {
    int prefix = Frame.prefixBytes(kind);
    if (length > maxFrameBytes - Frame.HEADER_BYTES - prefix) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment whole = Fragments.allocate(arena, codec, message, length);
        return cut(
            new Fragments(kind, codec.typeId(), correlation, whole, length, maxFrameBytes, true));
      }
    }
    byte[] rest = new byte[prefix + length];
    MemorySegment bytes = MemorySegment.ofArray(rest);
    if (prefix > 0) {
      Frame.putLongUnaligned(bytes, 0, correlation);
    }
    codec.write(message, bytes, prefix, length);
    long header = Frame.header(Frame.HEADER_BYTES + rest.length, codec.typeId(), kind, 0);
    return List.of(new Backlog.Frame(header, rest));
  }

  private static List<Backlog.Frame> cut(Fragments fragments) {
    List<Backlog.Frame> frames = new ArrayList<>();
    while (fragments.next()) {
      long bytes = Frame.length(fragments.header()) - Frame.HEADER_BYTES;
      byte[] rest =
          fragments.segment().asSlice(fragments.offset(), bytes).toArray(ValueLayout.JAVA_BYTE);
      frames.add(new Backlog.Frame(fragments.header(), rest));
    }
    return frames;
  }
}
