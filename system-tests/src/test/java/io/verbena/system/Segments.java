// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.internal.lane.Frame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * What a link over TCP carries after its handshake, written by hand from docs/protocol.md:
 * segments, and in them the frames of a lane.
 */
final class Segments {

  static final int LANE_BYTES = 64 * 1024;

  private static final int OPEN_LANE = 1;
  private static final int DATA = 3;
  private static final int CONSUMED = 4;
  private static final int PING = 6;

  private final SplittableRandom random;
  private long position;

  Segments(SplittableRandom random) {
    this.random = random;
  }

  /** Announces lane 0. */
  static byte[] openLane() {
    return segment(OPEN_LANE, 0, LANE_BYTES, new byte[0]);
  }

  /** One segment with frames in it, or now and then one of another kind. */
  byte[] next() {
    return switch (random.nextInt(10)) {
      case 0 -> segment(PING, 0, 0, new byte[0]);
      case 1 -> segment(CONSUMED, 0, 8L * random.nextInt(4), new byte[0]);
      default -> data();
    };
  }

  private byte[] data() {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = random.nextInt(4); i >= 0; i--) {
      frames.writeBytes(frame());
    }
    byte[] segment = segment(DATA, 0, position, frames.toByteArray());
    position += frames.size();
    return segment;
  }

  private byte[] frame() {
    return switch (random.nextInt(7)) {
      case 0 -> frame(Frame.MESSAGE, 1, 0, body(12)); // Numbered
      case 1 -> frame(Frame.MESSAGE, 2, 0, blob());
      case 2 -> frame(Frame.REQUEST, 3, 0, correlated(body(8)));
      case 3 -> frame(Frame.REPLY, 4, 0, correlated(body(8)));
      case 4 -> frame(Frame.ERROR, 0, 0, correlated(body(5)));
      case 5 -> frame(Frame.CONTROL, 1 + random.nextInt(6), 0, new byte[0]);
      default -> frame(Frame.FRAGMENT, 0, random.nextInt(8), correlated(body(40)));
    };
  }

  private byte[] blob() {
    int length = random.nextInt(200);
    return ByteBuffer.allocate(8 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(1)
        .putInt(length)
        .array();
  }

  private byte[] body(int length) {
    byte[] bytes = new byte[length];
    bytes[0] = 1;
    return bytes;
  }

  private byte[] correlated(byte[] body) {
    return ByteBuffer.allocate(8 + body.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(random.nextLong())
        .put(body)
        .array();
  }

  private static byte[] frame(int kind, int type, int flags, byte[] rest) {
    int length = Frame.HEADER_BYTES + rest.length;
    return ByteBuffer.allocate(Frame.align(length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(Frame.header(length, type, kind, flags))
        .put(rest)
        .array();
  }

  private static byte[] segment(int kind, int lane, long value, byte[] payload) {
    return ByteBuffer.allocate(16 + payload.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(payload.length)
        .put((byte) kind)
        .put((byte) 0)
        .putShort((short) lane)
        .putLong(value)
        .put(payload)
        .array();
  }
}
