// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Sender;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Steers an exclusive lane so that a message meets the ring's end with exactly so many bytes left.
 * Knows what {@link io.verbena.transport.LaneMemory} promises: frames are 8 bytes of header and the
 * body, and do not cross the ring's end, before which 8 bytes stay free.
 */
final class Laps {

  private static final int HEADER_BYTES = 8;

  private final Sender lane;
  private final int laneBytes;
  private final int frameBytesMax;
  private int at; // where in the ring the next frame lies
  private int sent;

  Laps(Sender lane, int laneBytes, int frameBytesMax) {
    this.lane = lane;
    this.laneBytes = laneBytes;
    this.frameBytesMax = frameBytesMax;
  }

  /** How many messages have been sent. */
  int sent() {
    return sent;
  }

  /** Fills the lap until {@code rest} bytes are left, then sends a message into them. */
  void crossWith(int rest) {
    while (laneBytes - at - rest > frameBytesMax) {
      send(frameBytesMax / 2);
    }
    if (laneBytes - at > rest) {
      send(laneBytes - at - rest);
    }
    // One that just fits, one that just does not, one that is far too large for what is left.
    int probe =
        switch (rest / 8 % 3) {
          case 0 -> rest - 8;
          case 1 -> rest;
          default -> frameBytesMax;
        };
    send(Math.max(HEADER_BYTES, Math.min(probe, frameBytesMax)));
  }

  private void send(int frameBytes) {
    int length = frameBytes - HEADER_BYTES;
    long offset = lane.claim(TestMessages.VIEW, length);
    for (int i = 0; i < length; i += 8) {
      lane.segment().set(ValueLayout.JAVA_LONG, offset + i, word(sent, i));
    }
    lane.commit();
    sent++;
    at = at + frameBytes > laneBytes - HEADER_BYTES ? frameBytes : at + frameBytes;
  }

  private static long word(int message, int index) {
    return ((long) message << 32 | index) * 0x9E37_79B9_7F4A_7C15L + 1;
  }

  /** Where the bytes differ from those of the message with this number; empty if nowhere. */
  static String difference(int message, MemorySegment segment, long offset, int length) {
    for (int i = 0; i < length; i += 8) {
      if (segment.get(ValueLayout.JAVA_LONG, offset + i) != word(message, i)) {
        return "message " + message + " of " + length + " bytes differs at byte " + i;
      }
    }
    return "";
  }
}
