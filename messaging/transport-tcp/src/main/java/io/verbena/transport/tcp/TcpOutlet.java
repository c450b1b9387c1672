// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.replica.ReplicaOutlet;
import io.verbena.transport.replica.Segment;
import java.nio.ByteBuffer;

/** One outgoing lane on one link. */
final class TcpOutlet extends ReplicaOutlet {

  /** The most one segment carries. */
  private static final int MAX_SEGMENT_BYTES = 256 * 1024;

  /** Payloads up to this size are copied behind their header: cheaper than a gathering write. */
  private static final int SMALL_BYTES = 2048;

  private final ByteBuffer view;
  private final long mask;

  // Below by whoever holds the writer's lock.
  private long boundary; // a frame's end: all frames below it are published
  private volatile long sent; // put on the wire, or into a batch that will be; read by senders

  TcpOutlet(int id, LaneMemory memory, LinkWriter writer) {
    super(id, memory, writer);
    this.view = memory.segment().asByteBuffer();
    this.mask = memory.capacity() - 1;
  }

  @Override
  protected long sent() {
    return sent;
  }

  @Override
  protected void sendFrom(long position, long newBoundary) {
    boundary = newBoundary;
    sent = position;
  }

  /**
   * Puts a DATA segment if there are unsent bytes.
   *
   * @return the payload if it must be written after {@code out}, {@code out} if it is in there,
   *     null if there is none
   */
  @org.jspecify.annotations.Nullable
  ByteBuffer putData(ByteBuffer out) {
    if (!isFlowing() || out.remaining() < Segment.HEADER_BYTES + SMALL_BYTES) {
      return null;
    }
    long from = sent;
    int length = (int) (unsentEnd(from) - from);
    if (length == 0) {
      return null;
    }
    Segment.put(out, length, Segment.DATA, id(), from);
    sent = from + length;
    int offset = (int) memory().offsetOf(from);
    if (length > SMALL_BYTES) {
      return view.limit(offset + length).position(offset);
    }
    out.put(out.position(), view.clear(), offset, length);
    return out.position(out.position() + length);
  }

  /** The end of what can go into one segment: published, contiguous in memory, not too large. */
  private long unsentEnd(long from) {
    if (boundary - from < MAX_SEGMENT_BYTES) {
      boundary = memory().publishedEnd(boundary, MAX_SEGMENT_BYTES);
    }
    long lapEnd = (from | mask) + 1;
    return Math.min(Math.min(boundary, lapEnd), from + MAX_SEGMENT_BYTES);
  }
}
