// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;

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

  static final int HEADER_BYTES = 12;
  private static final int MAX_TEXT_BYTES = 255;

  /** Writes it; blocks. Returns the bytes written. */
  int writeTo(ByteChannel channel) throws IOException {
    ByteBuffer out = encode();
    int written = 0;
    while (out.hasRemaining()) {
      written += channel.write(out);
    }
    return written;
  }

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

  /** Reads one; blocks. */
  static ControlMessage read(ByteChannel channel) throws IOException {
    ByteBuffer head = read(channel, HEADER_BYTES);
    int kind = head.get();
    int length = head.get() & 0xFF;
    int lane = head.getShort() & 0xFFFF;
    long value = head.getLong();
    byte[] words = new byte[length];
    read(channel, length).get(words);
    return new ControlMessage(kind, lane, value, new String(words, StandardCharsets.UTF_8));
  }

  private static ByteBuffer read(ByteChannel channel, int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("the peer closed the link or died");
      }
    }
    return in.flip();
  }
}
