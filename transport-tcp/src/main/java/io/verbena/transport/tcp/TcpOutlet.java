// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import io.verbena.transport.Waiters;
import java.nio.ByteBuffer;

/** One outgoing lane on one link. */
final class TcpOutlet implements Outlet {

  /** Published bytes that make it worth for a sending thread to write in the middle of a burst. */
  private static final int WORTH_WRITING_BYTES = 32 * 1024;

  /** The most one segment carries. */
  private static final int MAX_SEGMENT_BYTES = 256 * 1024;

  /** Payloads up to this size are copied behind their header: cheaper than a gathering write. */
  private static final int SMALL_BYTES = 2048;

  private final int id;
  private final LaneMemory memory;
  private final LinkWriter writer;
  private final ByteBuffer view;
  private final long mask;
  private final Waiters waiters = new Waiters();

  /** By senders without order: the next hint at which one of them should try to write. */
  private long worthWritingAt = WORTH_WRITING_BYTES;

  private volatile boolean announced;
  private volatile boolean finishDue;
  private volatile long finalPosition;

  // Below by whoever holds the writer's lock.
  private boolean resumed; // the far side has said from where
  private boolean finished;
  private long boundary; // a frame's end: all frames below it are published
  private volatile long sent; // put on the wire, or into a batch that will be; read by senders

  TcpOutlet(int id, LaneMemory memory, LinkWriter writer) {
    this.id = id;
    this.memory = memory;
    this.writer = writer;
    this.view = memory.segment().asByteBuffer();
    this.mask = memory.capacity() - 1;
  }

  int id() {
    return id;
  }

  // ---------------------------------------------------------------- by senders

  @Override
  public void published() {
    try {
      if (!writer.isGathering()) {
        writer.publishedWhileIdle(this);
        return;
      }
      long hint = memory.hint();
      if (hint >= worthWritingAt) {
        writeInBurst(hint);
      }
    } catch (IllegalStateException e) {
      // The memory was freed: the session is over, as the sender will find out.
    }
  }

  private void writeInBurst(long hint) {
    worthWritingAt = Math.max(hint, sent) + WORTH_WRITING_BYTES;
    writer.writeForSender();
  }

  /** Whether so much is unsent that a thread had better write it now. */
  boolean isWorthWriting() {
    return memory.hint() - sent >= WORTH_WRITING_BYTES;
  }

  @Override
  public void awaitConsumed(long position, long timeoutNs) {
    writer.writeForSender();
    waiters.await(
        () -> {
          memory.announceWaiting();
          return writer.isShut() || memory.consumed() > position;
        },
        timeoutNs);
  }

  @Override
  public void finish(long newFinalPosition) {
    finalPosition = newFinalPosition;
    finishDue = true;
    writer.finish(this);
    waiters.wakeAll();
  }

  void wakeWaiters() {
    waiters.wakeAll();
  }

  // ---------------------------------------------------------------- under the writer's lock

  /** From here on the memory is not touched: its owner may free it. */
  void letGo() {
    finished = true;
  }

  /** Puts what the far side has to know of this lane; false if there is no room. */
  boolean putControl(ByteBuffer out) {
    if (!announced && !finished) {
      if (out.remaining() < Segment.HEADER_BYTES) {
        return false;
      }
      announced = true;
      Segment.put(out, 0, Segment.OPEN_LANE, id, memory.capacity());
    }
    if (finishDue) {
      if (out.remaining() < Segment.HEADER_BYTES) {
        return false;
      }
      finishDue = false;
      if (announced) {
        Segment.put(out, 0, Segment.FINISH, id, finalPosition);
      }
      writer.remove(this);
    }
    return true;
  }

  /**
   * Puts a DATA segment if there are unsent bytes.
   *
   * @return the payload if it must be written after {@code out}, {@code out} if it is in there,
   *     null if there is none
   */
  @org.jspecify.annotations.Nullable
  ByteBuffer putData(ByteBuffer out) {
    if (!resumed || finished || out.remaining() < Segment.HEADER_BYTES + SMALL_BYTES) {
      return null;
    }
    long from = sent;
    int length = (int) (unsentEnd(from) - from);
    if (length == 0) {
      return null;
    }
    Segment.put(out, length, Segment.DATA, id, from);
    sent = from + length;
    int offset = (int) memory.offsetOf(from);
    if (length > SMALL_BYTES) {
      return view.limit(offset + length).position(offset);
    }
    out.put(out.position(), view.clear(), offset, length);
    return out.position(out.position() + length);
  }

  /** The end of what can go into one segment: published, contiguous in memory, not too large. */
  private long unsentEnd(long from) {
    if (boundary - from < MAX_SEGMENT_BYTES) {
      boundary = memory.publishedEnd(boundary, MAX_SEGMENT_BYTES);
    }
    long lapEnd = (from | mask) + 1;
    return Math.min(Math.min(boundary, lapEnd), from + MAX_SEGMENT_BYTES);
  }

  // ---------------------------------------------------------------- by the loop

  /** The far side has said from where to send. */
  void resume(long position) throws BadSegmentException {
    long consumed = memory.consumed();
    // The consumed position is where a frame starts; what was received may end within one.
    long end = consumed;
    while (end < position) {
      long further = memory.publishedEnd(end, position - end);
      if (further <= end) {
        break;
      }
      end = further;
    }
    if (resumed || (position & 7) != 0 || position < consumed || position > end) {
      throw new BadSegmentException(
          "RESUME of lane "
              + id
              + " at "
              + position
              + "; "
              + consumed
              + " to "
              + end
              + " is possible, once");
    }
    boundary = end;
    sent = position;
    resumed = true;
    worthWritingAt = position + WORTH_WRITING_BYTES;
  }

  /** The far side has consumed up to here. */
  void consumed(long position) throws BadSegmentException {
    try {
      long before = memory.consumed();
      if (!resumed || (position & 7) != 0 || position < before || position > sent) {
        throw new BadSegmentException(
            "CONSUMED of lane "
                + id
                + " at "
                + position
                + "; "
                + before
                + " to "
                + sent
                + " is possible");
      }
      memory.consumed(position);
      if (memory.takeWaiting()) {
        waiters.wakeAll();
      }
    } catch (IllegalStateException e) {
      // Freed meanwhile: its owner has no interest in what was consumed.
    }
  }
}
