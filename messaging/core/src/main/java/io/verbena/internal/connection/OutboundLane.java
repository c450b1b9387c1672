// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.internal.lane.SpinLock;
import io.verbena.internal.metrics.LaneCounters;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing lane of a session and who may write to it: any thread, one at a time under a lock,
 * if it is the shared one; its owner alone if it is exclusive.
 */
final class OutboundLane implements LaneCounters {

  private final int id;
  private final LaneMemory memory;
  private final LaneWriter writer;
  private final MemorySegment segment;
  private final @Nullable SpinLock lock; // null: exclusive
  private final @Nullable Backlog backlog; // the shared lane's
  private final int maxFrameBytes;

  /** Held while a fragmented message is written, so that there is one at a time. */
  final ReentrantLock bulk = new ReentrantLock();

  private volatile Outlet outlet;
  private volatile @Nullable VerbenaException ended;
  private boolean sealed; // under the lock: nothing more is written unless unsealed
  private long messages; // by the writer under the lock; others may see it late
  private long payloadBytes;

  OutboundLane(int id, LaneMemory memory, @Nullable Backlog backlog, Outlet outlet) {
    this.id = id;
    this.memory = memory;
    this.writer = new LaneWriter(memory);
    this.segment = memory.segment();
    this.lock = backlog == null ? null : new SpinLock();
    this.backlog = backlog;
    this.maxFrameBytes = LaneWriter.maxFrameBytes(memory.capacity());
    this.outlet = outlet;
  }

  int id() {
    return id;
  }

  LaneMemory memory() {
    return memory;
  }

  LaneWriter writer() {
    return writer;
  }

  Outlet outlet() {
    return outlet;
  }

  void outlet(Outlet newOutlet) {
    outlet = newOutlet;
  }

  /** The largest frame; larger messages are fragmented. */
  int maxFrameBytes() {
    return maxFrameBytes;
  }

  @Override
  public long messages() {
    return messages;
  }

  @Override
  public long bytes() {
    return payloadBytes;
  }

  /** The consumed position; once the memory is freed, all there was. */
  long consumed() {
    try {
      return memory.consumed();
    } catch (IllegalStateException e) {
      return writer.tail();
    }
  }

  long tail() {
    return writer.tail();
  }

  /** Whether everything written has been consumed. */
  boolean isDrained() {
    return consumed() >= writer.tail() && (backlog == null || backlog.isEmpty());
  }

  /** Excludes writers for good: each one fails with {@code cause} from here on. */
  void end(VerbenaException cause) {
    acquire();
    ended = cause;
    release();
  }

  @Nullable VerbenaException ended() {
    return ended;
  }

  void throwIfEnded() {
    VerbenaException cause = ended;
    if (cause != null) {
      throw Failures.again(cause);
    }
  }

  /**
   * Writes a message that fits in one frame.
   *
   * @param length what the codec says its body has
   * @return false if there is no room now
   */
  boolean tryWrite(int kind, long correlation, MessageCodec codec, Record message, int length) {
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    int frameBytes = Frame.align(prefix + length);
    acquire();
    try {
      throwIfEnded();
      long at = mustWait() ? LaneWriter.FULL : writer.claim(frameBytes);
      if (at == LaneWriter.FULL) {
        return false;
      }
      if (prefix > Frame.HEADER_BYTES) {
        Frame.putLong(segment, at + Frame.HEADER_BYTES, correlation);
      }
      encode(codec, message, at, prefix, length, frameBytes);
      writer.publish(at, Frame.header(prefix + length, codec.typeId(), kind, 0), frameBytes);
      count(length);
    } finally {
      release();
    }
    outlet.published();
    return true;
  }

  private void encode(
      MessageCodec codec, Record message, long at, int prefix, int length, int frameBytes) {
    try {
      codec.write(message, segment, at + prefix, length);
    } catch (Throwable e) {
      writer.abort(at, frameBytes); // a claim whose serializer threw is never seen
      throw e;
    }
  }

  /**
   * Writes a frame whose bytes are there already.
   *
   * @param fromBacklog whether it is the backlog's first frame and may go before the others
   * @return false if there is no room now
   */
  boolean tryWriteRaw(long header, MemorySegment rest, long offset, boolean fromBacklog) {
    acquire();
    try {
      throwIfEnded();
      boolean waits = fromBacklog ? isSealedFor(header) : mustWait();
      if (waits || !append(header, rest, offset)) {
        return false;
      }
    } finally {
      release();
    }
    outlet.published();
    return true;
  }

  /** Under the lock: copies a frame in; false if there is no room. */
  private boolean append(long header, MemorySegment rest, long offset) {
    int length = Frame.length(header);
    int frameBytes = Frame.align(length);
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      return false;
    }
    int bytes = length - Frame.HEADER_BYTES;
    MemorySegment.copy(rest, offset, segment, at + Frame.HEADER_BYTES, bytes);
    writer.publish(at, header, frameBytes);
    int kind = Frame.kind(header);
    if ((kind != Frame.CONTROL && kind != Frame.FRAGMENT)
        || (Frame.flags(header) & Frame.LAST) != 0) {
      messages++;
    }
    payloadBytes += bytes;
    return true;
  }

  /** Writes all fragments of a message, or nothing if they do not fit now. */
  boolean tryWriteFragments(Fragments fragments) {
    acquire();
    try {
      throwIfEnded();
      if (mustWait() || !writer.hasRoomFor(fragments.laneBytes())) {
        return false;
      }
      while (fragments.next()) {
        if (!append(fragments.header(), fragments.segment(), fragments.offset())) {
          throw new IllegalStateException("lane " + id + " had room for the message but has not");
        }
      }
    } finally {
      release();
    }
    outlet.published();
    return true;
  }

  /**
   * Writes a last control frame and no message after it; false if not everything was consumed.
   *
   * @param condition looked at while nobody can write; if it is true, the lane is sealed
   */
  boolean seal(long header, BooleanSupplier condition) {
    acquire();
    try {
      if (sealed || ended != null || !isDrained() || !condition.getAsBoolean()) {
        return false;
      }
      sealed = true;
      if (!append(header, MemorySegment.NULL, 0)) {
        throw new IllegalStateException("lane " + id + " is drained but has no room");
      }
    } finally {
      release();
    }
    outlet.published();
    return true;
  }

  boolean isSealed() {
    acquire();
    try {
      return sealed;
    } finally {
      release();
    }
  }

  /** Takes {@link #seal} back. */
  void unseal() {
    acquire();
    sealed = false;
    release();
  }

  /** Counts a message that its owner wrote in place. */
  void count(int bodyBytes) {
    messages++;
    payloadBytes += bodyBytes;
  }

  /** A seal holds messages up, not what the connections say to each other about it. */
  private boolean isSealedFor(long header) {
    return sealed && Frame.kind(header) != Frame.CONTROL;
  }

  private boolean mustWait() {
    return sealed || (backlog != null && !backlog.isEmpty());
  }

  void acquire() {
    if (lock != null) {
      lock.lock();
    }
  }

  void release() {
    if (lock != null) {
      lock.unlock();
    }
  }
}
