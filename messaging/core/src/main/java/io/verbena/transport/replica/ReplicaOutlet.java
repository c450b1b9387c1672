// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import io.verbena.transport.Waiters;
import java.nio.ByteBuffer;

/** One outgoing lane on one link, whose bytes a {@link PacedWriter} copies to the far side. */
public abstract class ReplicaOutlet implements Outlet {

  /** Published bytes that make it worth for a sending thread to write in the middle of a burst. */
  private static final int WORTH_WRITING_BYTES = 32 * 1024;

  private final int id;
  private final LaneMemory memory;
  private final PacedWriter writer;
  private final Waiters waiters = new Waiters();

  /** By senders without order: the next hint at which one of them should try to write. */
  private long worthWritingAt = WORTH_WRITING_BYTES;

  private volatile boolean announced;
  private volatile boolean finishDue;
  private volatile long finalPosition;
  private volatile boolean resumed; // the far side has said from where
  private volatile boolean finished;

  /** Makes one. */
  protected ReplicaOutlet(int id, LaneMemory memory, PacedWriter writer) {
    this.id = id;
    this.memory = memory;
    this.writer = writer;
  }

  /** The lane's id. */
  public final int id() {
    return id;
  }

  /** The lane's memory. */
  protected final LaneMemory memory() {
    return memory;
  }

  /** Whether bytes may be written: the far side has said from where, and the lane has not ended. */
  protected final boolean isFlowing() {
    return resumed && !finished;
  }

  /** Bytes below are on the wire; a lower bound for those who only want to know how much waits. */
  protected abstract long sent();

  /**
   * Bytes go out from {@code position} on; called once, under the lock {@link #finish} waits for.
   *
   * @param boundary where a frame starts at or behind {@code position}; all frames below it are
   *     published
   */
  protected abstract void sendFrom(long position, long boundary);

  // ---------------------------------------------------------------- by senders

  @Override
  public final void published() {
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
    worthWritingAt = Math.max(hint, sent()) + WORTH_WRITING_BYTES;
    writer.writeForSender();
  }

  /** Whether so much is unsent that a thread had better write it now. */
  final boolean isWorthWriting() {
    return memory.hint() - sent() >= WORTH_WRITING_BYTES;
  }

  @Override
  public final void awaitConsumed(long position, long timeoutNs) {
    writer.writeForSender();
    waiters.await(
        () -> {
          memory.announceWaiting();
          return writer.isShut() || memory.consumed() > position;
        },
        timeoutNs);
  }

  @Override
  public final void finish(long newFinalPosition) {
    finalPosition = newFinalPosition;
    finishDue = true;
    writer.finish(this);
    waiters.wakeAll();
  }

  /** Wakes the threads in {@link #awaitConsumed}: the link is down. */
  public final void wakeWaiters() {
    waiters.wakeAll();
  }

  // ---------------------------------------------------------------- by who writes

  /** From here on the memory is not touched: its owner may free it. */
  public final void letGo() {
    finished = true;
  }

  /** Puts what the far side has to know of this lane; false if there is no room. */
  public final boolean putControl(ByteBuffer out) {
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

  // ---------------------------------------------------------------- by the loop

  /** The far side has said from where to send. Under the writer's lock. */
  public final void resume(long position) throws BadSegmentException {
    if (finished) {
      return; // it crossed the end: nothing is to be sent, and the memory may be gone
    }
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
    worthWritingAt = position + WORTH_WRITING_BYTES;
    sendFrom(position, end);
    resumed = true;
  }

  /** The far side has consumed up to here. */
  public final void consumed(long position) throws BadSegmentException {
    try {
      long before = memory.consumed();
      long most = sent();
      if (!resumed || (position & 7) != 0 || position < before || position > most) {
        throw new BadSegmentException(
            "CONSUMED of lane "
                + id
                + " at "
                + position
                + "; "
                + before
                + " to "
                + most
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
