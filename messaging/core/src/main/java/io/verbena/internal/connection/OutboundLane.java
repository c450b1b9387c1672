// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.MessageTooLargeException;
import io.verbena.UnregisteredTypeException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.PeerTypes;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.internal.metrics.LaneCounters;
import io.verbena.transport.Outlet;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing lane of a session: messages in an order of their own, in one {@link Ring} or several
 * in turn. A {@link SharedLane} says how threads take turns at it, an {@link ExclusiveLane} belongs
 * to one.
 *
 * <p>The methods that write ({@code claim}, {@code append}, {@code appendAll}) are called by one
 * thread at a time and need a call of {@link #announce} afterwards. {@code write} ends the thread's
 * turn and announces by itself.
 */
abstract sealed class OutboundLane implements LaneCounters permits SharedLane, ExclusiveLane {

  /** Why a request could not be sent. */
  static final String NO_ROOM = "as there was no room in the lane";

  /** The peer's version of the program does not know a message's type. */
  static final class UnknownToPeerException extends UnregisteredTypeException {
    private static final long serialVersionUID = 1;

    UnknownToPeerException(int peer, int typeId, String name) {
      super(
          "node "
              + peer
              + " does not know type "
              + typeId
              + " ("
              + name
              + "): it runs another version of the program");
    }
  }

  private static final long NOT_SEEN = -1;

  private final int id;
  private final LaneWait wait;
  private final long messageMaxBytes;
  private final PeerTypes peerTypes;
  private final long uncheckedMaxBytes; // up to here a message needs no second look

  private volatile @Nullable Ring ring; // set by who writes; null: nothing was ever written
  private @Nullable LaneWriter writer; // the ring's; by who writes, as what follows
  private MemorySegment segment = MemorySegment.NULL;
  private long messages; // others may see it late
  private long payloadBytes;

  private volatile @Nullable VerbenaException ended;

  OutboundLane(int id, LaneWait wait, long messageMaxBytes, PeerTypes peerTypes) {
    this.id = id;
    this.wait = wait;
    this.messageMaxBytes = messageMaxBytes;
    this.peerTypes = peerTypes;
    this.uncheckedMaxBytes = peerTypes.isSame() ? messageMaxBytes : -1;
  }

  final int id() {
    return id;
  }

  final LaneWait laneWait() {
    return wait;
  }

  // ---------------------------------------------------------------- rings

  /** The ring that is written to; null if there is none yet. */
  final @Nullable Ring ring() {
    return ring;
  }

  /** Writes to another ring from here on. By who writes. */
  final void use(Ring newRing) {
    ring = newRing;
    writer = newRing.writer();
    segment = newRing.memory().segment();
  }

  /** All rings that hold something the far side may not have consumed, the oldest first. */
  List<Ring> rings() {
    Ring current = ring;
    return current == null ? List.of() : List.of(current);
  }

  /** The largest frame that the ring in use takes. */
  final int maxFrameBytes() {
    Ring current = ring;
    return current == null ? 0 : LaneWriter.maxFrameBytes(current.capacity());
  }

  @Override
  public final long messages() {
    return messages;
  }

  @Override
  public final long bytes() {
    return payloadBytes;
  }

  /** The consumed position in the ring in use. */
  final long consumed() {
    Ring current = ring;
    return current == null ? 0 : current.consumed();
  }

  /** Where the ring in use leaves. */
  final Outlet outlet() {
    Ring current = ring;
    return current == null ? wait : current.outlet();
  }

  /** Whether everything written has been consumed. */
  boolean isDrained() {
    Ring current = ring;
    return current == null || current.isDrained();
  }

  /** Whether the calling thread is writing to the lane: a codec of it runs. */
  abstract boolean isWrittenByCaller();

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

  /**
   * The length of a message's body.
   *
   * @throws UnknownToPeerException if the peer's version of the program does not know the type
   */
  final int bodyBytes(MessageCodec codec, Record message) {
    int length = lengthOf(codec, message);
    if (length > uncheckedMaxBytes) { // one look is all that peers with the same types cost
      checkLimit(codec, length, messageMaxBytes);
      requireKnown(codec.typeId(), codec.type().getName());
    }
    return length;
  }

  /** Throws if the peer's version of the program does not know a type. */
  final void requireKnown(int typeId, String name) {
    if (!peerTypes.knows(typeId)) {
      throw new UnknownToPeerException(wait.peer(), typeId, name);
    }
  }

  /** The length of a message's body, which must not exceed {@code maxBytes}. */
  static int bodyBytes(MessageCodec codec, Record message, long maxBytes) {
    int length = lengthOf(codec, message);
    checkLimit(codec, length, maxBytes);
    return length;
  }

  private static int lengthOf(MessageCodec codec, Record message) {
    int fixed = codec.fixedLength();
    return fixed >= 0 ? fixed : codec.length(message);
  }

  private static void checkLimit(MessageCodec codec, int length, long maxBytes) {
    if (length > maxBytes) {
      throw new MessageTooLargeException(
          "a "
              + codec.type().getName()
              + " of "
              + length
              + " bytes; message.max.bytes is "
              + maxBytes);
    }
  }

  /**
   * Throws if a lane never has room for all of a message at once, however little is in it.
   *
   * @param laneBytes its size
   */
  static void checkFitsAtOnce(MessageCodec codec, int length, long laneBytes) {
    long mostBytes = LaneWriter.mostBytesAtOnce(laneBytes);
    if (LargeMessage.laneBytes(length, LaneWriter.maxFrameBytes(laneBytes)) > mostBytes) {
      throw new MessageTooLargeException(
          "there is never room for a "
              + codec.type().getName()
              + " of "
              + length
              + " bytes at once; in a lane of "
              + laneBytes
              + " bytes (lane.bytes) there is for "
              + mostBytes
              + "; send it by a call that waits");
    }
  }

  /** Whether a message with a body of this length is a single frame. */
  boolean fitsInFrame(int kind, int length) {
    return length <= maxFrameBytes() - Frame.HEADER_BYTES - Frame.prefixBytes(kind);
  }

  // ---------------------------------------------------------------- writing

  /**
   * Claims room for a message that fits in one frame; {@link #write} follows.
   *
   * @param length what the codec says its body has
   * @return where its frame begins, or {@link LaneWriter#FULL} if there is no room now
   */
  final long claim(int kind, long correlation, int length) {
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    LaneWriter to = writer;
    long at = to == null ? LaneWriter.FULL : to.claim(Frame.align(prefix + length));
    if (prefix > Frame.HEADER_BYTES && at != LaneWriter.FULL) {
      Frame.putLong(segment, at + Frame.HEADER_BYTES, correlation);
    }
    return at;
  }

  /** Whether there is room for all of a one-way message now; nothing is claimed. */
  final boolean canClaim(int length) {
    LaneWriter to = writer;
    return to != null
        && (fitsInFrame(Frame.MESSAGE, length)
            ? to.hasRoomForFrame(Frame.align(Frame.HEADER_BYTES + length))
            : to.hasRoomFor(LargeMessage.laneBytes(length, maxFrameBytes())));
  }

  /** Writes a message to the room that was claimed for it, and ends the turn. */
  final void write(long at, int kind, MessageCodec codec, Record message, int length) {
    LaneWriter to = Objects.requireNonNull(writer);
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    int frameBytes = Frame.align(prefix + length);
    try {
      try {
        codec.write(message, segment, at + prefix, length);
      } catch (Throwable e) {
        to.abort(at, frameBytes); // a claim whose serializer threw is never seen
        throw e;
      }
      to.publish(at, Frame.header(prefix + length, codec.typeId(), kind, 0), frameBytes);
      count(length);
    } finally {
      leave();
    }
    announce();
  }

  /** Ends the turn of who has claimed room. */
  abstract void leave();

  /** Copies a frame in; false if there is no room. */
  final boolean append(long header, MemorySegment rest, long offset) {
    int length = Frame.length(header);
    int frameBytes = Frame.align(length);
    LaneWriter to = writer;
    long at = to == null ? LaneWriter.FULL : to.claim(frameBytes);
    if (to == null || at == LaneWriter.FULL) {
      return false;
    }
    int bytes = length - Frame.HEADER_BYTES;
    MemorySegment.copy(rest, offset, segment, at + Frame.HEADER_BYTES, bytes);
    to.publish(at, header, frameBytes);
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
    LaneWriter to = writer;
    if (to == null || !to.hasRoomFor(message.laneBytes())) {
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
      outlet().published();
    } catch (IllegalStateException e) {
      if (ended == null) {
        throw e;
      } // else the memory was freed, and what is in the lane has been reported
    }
  }

  // ---------------------------------------------------------------- waiting

  /** Copies a frame in and announces it; false if there is no room now. */
  abstract boolean tryAppend(long header, MemorySegment rest, long offset);

  /** Sends a frame whose bytes are there already; waits for room. */
  final void appendOrWait(long header, MemorySegment rest, long offset) {
    appendOrWait(header, rest, offset, null);
  }

  /**
   * As above.
   *
   * @param request what the frame belongs to, if to any: once it is over nobody waits
   * @return false if the request was over before there was room
   */
  final boolean appendOrWait(
      long header, MemorySegment rest, long offset, @Nullable PendingRequest<?> request) {
    long seen = NOT_SEEN;
    while (!tryAppend(header, rest, offset)) {
      if (request != null && request.isOver(NO_ROOM)) {
        return false;
      }
      seen = awaitRoom(seen, request);
    }
    return true;
  }

  /**
   * Waits a while for the far side to consume something; the caller tries again and comes back.
   *
   * @param seen what this returned the last time, {@link #firstLook} at first
   * @param request what is to be sent, if it is one: the wait ends with its time
   */
  final long awaitRoom(long seen, @Nullable PendingRequest<?> request) {
    if (seen != NOT_SEEN) {
      long limitNs = request == null ? Long.MAX_VALUE : Math.max(1, request.leftNs());
      wait.untilConsumed(this, seen, limitNs);
    }
    return consumed();
  }

  /** Has {@link #awaitRoom} not wait: who found no room looks once more before. */
  static long firstLook() {
    return NOT_SEEN;
  }
}
