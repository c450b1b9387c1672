// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;

/**
 * Reports what a lane holds that its peer will not consume any more. In shared memory the peer can
 * write to the lane: what does not add up ends the report, not the caller, who has more to do.
 */
final class Undelivered {

  private final Host host;
  private final int peer;

  Undelivered(Host host, int peer) {
    this.host = host;
    this.peer = peer;
  }

  /** Reports every message between the consumed position and the tail; writers are excluded. */
  void report(OutboundLane lane) {
    for (Ring ring : lane.rings()) {
      report(ring);
    }
  }

  private void report(Ring ring) {
    try {
      report(ring.memory(), ring.tail());
    } catch (IllegalStateException e) {
      // The memory was freed.
    } catch (InternalError e) {
      // So the JVM tells of a page that is not there: somebody cut the file short.
    }
  }

  private void report(LaneMemory memory, long tail) {
    long at = Math.max(0, Math.min(memory.consumed(), tail));
    if (at % 8 != 0 || tail - at > memory.capacity()) {
      return; // no position that the peer can have got to
    }
    while (at < tail) {
      long header = memory.header(at);
      long length = Integer.toUnsignedLong((int) header);
      long lapRest = memory.capacity() - (at & memory.capacity() - 1);
      if (length < minBytes(header) || length > Math.min(lapRest, tail - at)) {
        return; // no frame starts here: nothing from here on can be told apart
      }
      frame(memory.segment(), memory.offsetOf(at) + Frame.HEADER_BYTES, header);
      at += Frame.align((int) length);
    }
  }

  private static int minBytes(long header) {
    return Frame.HEADER_BYTES + Frame.prefixBytes(Frame.kind(header));
  }

  /** Reports a message that was not written to any lane. */
  void message(MessageCodec codec, Record message) {
    int length = codec.length(message);
    MemorySegment body = MemorySegment.ofArray(new byte[length]);
    codec.write(message, body, 0, length);
    host.metrics().undeliverable();
    host.tell(listener -> listener.undeliverable(peer, codec.typeId(), body, 0, length));
  }

  /** Reports a frame whose body starts at {@code offset}. */
  void frame(MemorySegment segment, long offset, long header) {
    int prefix = Frame.prefixBytes(Frame.kind(header));
    int length = Frame.length(header) - Frame.HEADER_BYTES - prefix;
    int typeId = Frame.typeId(header);
    switch (Frame.kind(header)) {
      case Frame.MESSAGE, Frame.REQUEST, Frame.REPLY, Frame.FRAGMENT -> {
        host.metrics().undeliverable();
        host.tell(
            listener -> listener.undeliverable(peer, typeId, segment, offset + prefix, length));
      }
      default -> {}
    }
  }
}
