// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.MessageTooLargeException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.internal.metrics.LaneCounters;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Outlet;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing lane of a session: its memory and writer, and the outlet where its bytes leave now.
 * A {@link SharedLane} says how threads take turns at it, an {@link ExclusiveLane} belongs to one.
 *
 * <p>The methods that write ({@code write}, {@code append}, {@code appendAll}) are called by one
 * thread at a time and need a call of {@link #announce} afterwards.
 */
abstract sealed class OutboundLane implements LaneCounters permits SharedLane, ExclusiveLane {

  private static final long NOT_SEEN = -1;

  private final int id;
  private final LaneMemory memory;
  private final LaneWriter writer;
  private final MemorySegment segment;
  private final LaneWait wait;
  private final int maxFrameBytes;
  private final long messageMaxBytes;

  private volatile Outlet outlet;
  private volatile @Nullable VerbenaException ended;
  private long messages; // by who writes; others may see it late
  private long payloadBytes;

  /** Makes a lane that has no link yet. */
  OutboundLane(int id, LaneMemory memory, LaneWait wait, long messageMaxBytes) {
    this.id = id;
    this.memory = memory;
    this.writer = new LaneWriter(memory);
    this.segment = memory.segment();
    this.wait = wait;
    this.maxFrameBytes = LaneWriter.maxFrameBytes(memory.capacity());
    this.messageMaxBytes = messageMaxBytes;
    this.outlet = wait;
  }

  final int id() {
    return id;
  }

  final LaneMemory memory() {
    return memory;
  }

  final LaneWriter writer() {
    return writer;
  }

  final LaneWait laneWait() {
    return wait;
  }

  final Outlet outlet() {
    return outlet;
  }

  final void outlet(Outlet newOutlet) {
    outlet = newOutlet;
  }

  /** The largest frame; larger messages are fragmented. */
  final int maxFrameBytes() {
    return maxFrameBytes;
  }

  @Override
  public final long messages() {
    return messages;
  }

  @Override
  public final long bytes() {
    return payloadBytes;
  }

  /** The consumed position; once the memory is freed, all there was. */
  final long consumed() {
    try {
      return memory.consumed();
    } catch (IllegalStateException e) {
      return writer.tail();
    }
  }

  final long tail() {
    return writer.tail();
  }

  /** Whether everything written has been consumed. */
  boolean isDrained() {
    return consumed() >= writer.tail();
  }

  /** Excludes writers for good: each one fails with {@code cause} from here on. */
  void end(VerbenaException cause) {
    ended = cause;
  }

  final @Nullable VerbenaException ended() {
    return ended;
  }

  final void throwIfEnded() {
    VerbenaException cause = ended;
    if (cause != null) {
      throw Failures.again(cause);
    }
  }

  // ---------------------------------------------------------------- lengths

  /** The length of a message's body. */
  final int bodyBytes(MessageCodec codec, Record message) {
    return bodyBytes(codec, message, messageMaxBytes);
  }

  /** The length of a message's body, which must not exceed {@code maxBytes}. */
  static int bodyBytes(MessageCodec codec, Record message, long maxBytes) {
    int fixed = codec.fixedLength();
    int length = fixed >= 0 ? fixed : codec.length(message);
    if (length > maxBytes) {
      throw tooLarge(codec, length, maxBytes);
    }
    return length;
  }

  private static MessageTooLargeException tooLarge(MessageCodec codec, int length, long maxBytes) {
    return new MessageTooLargeException(
        "a "
            + codec.type().getName()
            + " of "
            + length
            + " bytes; message.max.bytes is "
            + maxBytes);
  }

  /** Whether a message with a body of this length is a single frame. */
  final boolean fitsInFrame(int kind, int length) {
    return length <= maxFrameBytes - Frame.HEADER_BYTES - Frame.prefixBytes(kind);
  }

  // ---------------------------------------------------------------- writing

  /**
   * Writes a message that fits in one frame.
   *
   * @param length what the codec says its body has
   * @return false if there is no room now
   */
  final boolean write(int kind, long correlation, MessageCodec codec, Record message, int length) {
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    int frameBytes = Frame.align(prefix + length);
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      return false;
    }
    if (prefix > Frame.HEADER_BYTES) {
      Frame.putLong(segment, at + Frame.HEADER_BYTES, correlation);
    }
    encode(codec, message, at, prefix, length, frameBytes);
    writer.publish(at, Frame.header(prefix + length, codec.typeId(), kind, 0), frameBytes);
    count(length);
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

  /** Copies a frame in; false if there is no room. */
  final boolean append(long header, MemorySegment rest, long offset) {
    int length = Frame.length(header);
    int frameBytes = Frame.align(length);
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      return false;
    }
    int bytes = length - Frame.HEADER_BYTES;
    MemorySegment.copy(rest, offset, segment, at + Frame.HEADER_BYTES, bytes);
    writer.publish(at, header, frameBytes);
    if (endsMessage(header)) {
      messages++;
    }
    payloadBytes += bytes;
    return true;
  }

  private static boolean endsMessage(long header) {
    int kind = Frame.kind(header);
    return (kind != Frame.CONTROL && kind != Frame.FRAGMENT)
        || (Frame.flags(header) & Frame.LAST) != 0;
  }

  /** Copies all fragments of a message in, or nothing if they do not fit now. */
  final boolean appendAll(LargeMessage message) {
    if (!writer.hasRoomFor(message.laneBytes())) {
      return false;
    }
    while (message.next()) {
      if (!append(message.header(), message.segment(), message.offset())) {
        throw new IllegalStateException("lane " + id + " had room for the message but has not");
      }
    }
    return true;
  }

  /** Counts a message that its owner wrote in place. */
  final void count(int bodyBytes) {
    messages++;
    payloadBytes += bodyBytes;
  }

  /** Tells the transport that there are published bytes. Called without any lock held. */
  final void announce() {
    try {
      outlet.published();
    } catch (IllegalStateException e) {
      throwIfEnded(); // the memory was freed under the writer
      throw e;
    }
  }

  // ---------------------------------------------------------------- waiting

  /** Copies a frame in and announces it; false if there is no room now. */
  abstract boolean tryAppend(long header, MemorySegment rest, long offset);

  /** Sends a frame whose bytes are there already; waits for room. */
  final void appendOrWait(long header, MemorySegment rest, long offset) {
    long seen = NOT_SEEN;
    while (!tryAppend(header, rest, offset)) {
      seen = awaitRoom(seen);
    }
  }

  /** Sends all fragments; waits for room. */
  final void appendAllOrWait(LargeMessage message) {
    while (message.next()) {
      appendOrWait(message.header(), message.segment(), message.offset());
    }
  }

  /**
   * Waits a while for the far side to consume something; the caller tries again and comes back.
   *
   * @param seen what this returned the last time, {@link #firstLook} at first
   */
  final long awaitRoom(long seen) {
    if (seen != NOT_SEEN) {
      wait.untilConsumed(this, seen);
    }
    return consumed();
  }

  /** Has {@link #awaitRoom} not wait: who found no room looks once more before. */
  static long firstLook() {
    return NOT_SEEN;
  }
}
