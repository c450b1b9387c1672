// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What links say on their socket; docs/protocol.md, "Shared memory".
 *
 * <pre>
 * offset  size  what
 *      0     1  kind
 *      1     1  length of the text in bytes
 *      2     2  lane
 *      4     8  capacity (OPEN_LANE), final position (FINISH), else 0
 *     12     n  file name (OPEN_LANE), reason (BYE)
 * </pre>
 */
record ControlMessage(int kind, int lane, long value, String text) {

  static final int OPEN_LANE = 1;
  static final int FINISH = 2;
  static final int BYE = 3;

  private static final int HEADER_BYTES = 12;
  private static final int MAX_TEXT_BYTES = 255;

  /** The longest one. */
  static final int MOST_BYTES = HEADER_BYTES + MAX_TEXT_BYTES;

  ByteBuffer encode() {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(words.length, MAX_TEXT_BYTES);
    return ByteBuffer.allocate(HEADER_BYTES + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) kind)
        .put((byte) length)
        .putShort((short) lane)
        .putLong(value)
        .put(words, 0, length)
        .flip();
  }

  /** Takes one from what was read; null if its end is missing. */
  static @Nullable ControlMessage decode(ByteBuffer in) {
    int start = in.position();
    if (in.remaining() < HEADER_BYTES) {
      return null;
    }
    int length = in.get(start + 1) & 0xFF;
    if (in.remaining() < HEADER_BYTES + length) {
      return null;
    }
    byte[] words = new byte[length];
    in.get(start + HEADER_BYTES, words);
    ControlMessage message =
        new ControlMessage(
            in.get(start),
            in.getShort(start + 2) & 0xFFFF,
            in.getLong(start + 4),
            new String(words, StandardCharsets.UTF_8));
    in.position(start + HEADER_BYTES + length);
    return message;
  }
}
