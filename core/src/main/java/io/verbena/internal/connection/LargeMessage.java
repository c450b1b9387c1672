// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** One message that does not fit in a frame: encoded beside the lane, then sent in fragments. */
final class LargeMessage {

  private final Session session;
  private final OutboundLane lane;
  private final int kind;
  private final long correlation;
  private final MessageCodec codec;
  private final Record message;
  private final int length;

  LargeMessage(
      Session session,
      OutboundLane lane,
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length) {
    this.session = session;
    this.lane = lane;
    this.kind = kind;
    this.correlation = correlation;
    this.codec = codec;
    this.message = message;
    this.length = length;
  }

  /** Sends all fragments; waits for room unless the caller receives. */
  void send() {
    if (ProgressLoop.currentThreadReceives()) {
      sendAtOnce();
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      Fragments fragments = encode(arena, false);
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

  /** By a thread that must not wait: queued for the shared lane, on another now or not at all. */
  private void sendAtOnce() {
    if (lane == session.shared()) {
      try (Arena arena = Arena.ofConfined()) {
        session.connection().queue(frames(encode(arena, true)));
      }
    } else if (!trySend()) {
      session.refuseToWaitFor(lane);
    }
  }

  /** Sends all fragments if the lane has room for them now. */
  boolean trySend() {
    if (!lane.bulk.tryLock()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      return lane.tryWriteFragments(encode(arena, false));
    } finally {
      lane.bulk.unlock();
    }
  }

  private void write(Fragments fragments) {
    long seen = lane.consumed();
    while (!lane.tryWriteRaw(fragments.header(), fragments.segment(), fragments.offset(), false)) {
      session.laneWait().untilConsumed(lane, seen);
      seen = lane.consumed();
    }
  }

  private Fragments encode(Arena arena, boolean queued) {
    MemorySegment whole = arena.allocate(Fragments.bodyOffset() + (long) length, 8);
    codec.write(message, whole, Fragments.bodyOffset(), length);
    return new Fragments(
        kind, codec.typeId(), correlation, whole, length, lane.maxFrameBytes(), queued);
  }

  private static List<Backlog.Frame> frames(Fragments fragments) {
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
