// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import java.lang.foreign.Arena;

/** One message that does not fit in a frame: encoded beside the lane, then sent in fragments. */
final class LargeMessage {

  private final OutboundLane lane;
  private final LaneWait wait;
  private final int kind;
  private final long correlation;
  private final MessageCodec codec;
  private final Record message;
  private final int length;

  LargeMessage(
      OutboundLane lane,
      LaneWait wait,
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length) {
    this.lane = lane;
    this.wait = wait;
    this.kind = kind;
    this.correlation = correlation;
    this.codec = codec;
    this.message = message;
    this.length = length;
  }

  /** Sends all fragments; waits for room. */
  void send() {
    try (Arena arena = Arena.ofConfined()) {
      Fragments fragments = encode(arena);
      lane.bulk.lock();
      try {
        while (fragments.next()) {
          write(fragments);
        }
      } finally {
        lane.bulk.unlock();
      }
    }
  }

  /** Sends all fragments if the lane has room for them now. */
  boolean trySend() {
    if (!lane.bulk.tryLock()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      return lane.tryWriteFragments(encode(arena));
    } finally {
      lane.bulk.unlock();
    }
  }

  private void write(Fragments fragments) {
    long seen = lane.consumed();
    while (!lane.tryWriteRaw(fragments.header(), fragments.segment(), fragments.offset(), false)) {
      wait.untilConsumed(lane, seen);
      seen = lane.consumed();
    }
  }

  private Fragments encode(Arena arena) {
    return new Fragments(
        kind,
        codec.typeId(),
        correlation,
        Fragments.allocate(arena, codec, message, length),
        length,
        lane.maxFrameBytes(),
        false);
  }
}
