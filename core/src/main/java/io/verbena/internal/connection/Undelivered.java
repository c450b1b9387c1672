// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.lane.Frame;
import io.verbena.transport.LaneMemory;
import java.lang.foreign.MemorySegment;

/** Reports what a lane holds that its peer will not consume any more. */
final class Undelivered {

  private final Host host;
  private final int peer;

  Undelivered(Host host, int peer) {
    this.host = host;
    this.peer = peer;
  }

  /** Reports every message between the consumed position and the tail; writers are excluded. */
  void report(OutboundLane lane) {
    LaneMemory memory = lane.memory();
    long tail = lane.tail();
    long at = Math.max(0, Math.min(memory.consumed(), tail));
    while (at < tail) {
      long header = memory.header(at);
      int length = Frame.length(header);
      if (length < Frame.HEADER_BYTES) {
        return; // the peer's consumed position was no frame's start: nothing here can be told apart
      }
      frame(memory.segment(), memory.offsetOf(at) + Frame.HEADER_BYTES, header);
      at += Frame.align(length);
    }
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
