// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.SendResult;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.PeerTypes;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.internal.lane.SpinLock;
import io.verbena.transport.Errands;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane that all threads of a node send on, one at a time under a lock. Who finds no room waits
 * for it; a receiving thread, which must not wait, leaves its message in the lane's {@link
 * Backlog}, and who comes later waits until that is empty.
 *
 * <p>It begins in a small ring and moves to a larger one when that is full ({@link RingMoves}).
 */
final class SharedLane extends OutboundLane {

  private final SpinLock lock = new SpinLock();

  /** Taken while a fragmented message is sent, so that there is one at a time. */
  private final Semaphore bulk = new Semaphore(1);

  private final Backlog backlog;
  private final RingMoves moves;
  private boolean sealed; // under the lock: nothing more is written unless unsealed
  private volatile long moved; // what was written to rings that were left, in bytes

  /**
   * Makes a lane without a ring: the first message opens one.
   *
   * @param backlog outlives the lane: what no session has taken waits there for the next one
   */
  SharedLane(
      int id,
      RingMoves.Source rings,
      LaneWait wait,
      long messageMaxBytes,
      PeerTypes peerTypes,
      Backlog backlog) {
    super(id, wait, messageMaxBytes, peerTypes);
    this.backlog = backlog;
    this.moves = new RingMoves(this, rings);
  }

  RingMoves moves() {
    return moves;
  }

  @Override
  List<Ring> rings() {
    return moves.all(super.rings());
  }

  /** How many bytes of frames have been written. */
  long sentPosition() {
    Ring current = ring();
    return current == null ? 0 : moved + current.tail();
  }

  /** How many of them the far side has consumed. */
  long consumedPosition() {
    long position = sentPosition();
    for (Ring ring : rings()) {
      position -= ring.tail() - ring.consumed();
    }
    return position;
  }

  /**
   * Goes on in another ring.
   *
   * @param meanwhile done while nobody can write, before the first frame is written there
   * @return false if nothing may be written any more, or not now
   */
  boolean tryMoveTo(Ring next, Runnable meanwhile) {
    Ring former;
    lock.lock();
    try {
      former = ring();
      if (ended() != null || (sealed && former != null)) {
        return false;
      }
      meanwhile.run();
      if (former != null) {
        former.writer().end(Frame.header(Frame.HEADER_BYTES, next.id(), Frame.MOVED, 0));
        moved += former.tail();
      }
      use(next);
    } finally {
      lock.unlock();
    }
    if (former != null) {
      former.outlet().published();
    }
    return true;
  }

  /** Has the lane move to a smaller ring, unless a large message is under way. */
  void shrinkIfIdle(long nowNs) {
    if (moves.isLongIdle(nowNs) && bulk.tryAcquire()) {
      try {
        moves.shrink();
      } finally {
        bulk.release();
      }
    }
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message; waits for room unless the caller receives.
   *
   * @param request what the message belongs to, if to any: once it is over it is not sent
   */
  void send(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      @Nullable PendingRequest<?> request) {
    int length = bodyBytes(codec, message);
    if (!fitsOrGrows(kind, length)) {
      sendLarge(kind, correlation, codec, message, length, request);
      return;
    }
    long at = takeTurn(kind, correlation, length);
    if (at == LaneWriter.FULL) {
      at = awaitTurn(kind, correlation, length, request);
    }
    if (at == LaneWriter.FULL) {
      if (request == null || !request.isDone()) {
        backlog.add(kind, correlation, codec, message, length, maxFrameBytes());
      }
      return;
    }
    write(at, kind, codec, message, length);
  }

  /**
   * Takes the lock and claims room.
   *
   * @return where; {@link LaneWriter#FULL} if there is none now, and then the lock is not held
   */
  private long takeTurn(int kind, long correlation, int length) {
    long at = LaneWriter.FULL;
    lock.lock();
    try {
      throwIfEnded();
      if (!mustWait()) {
        at = claim(kind, correlation, length);
      }
    } finally {
      if (at == LaneWriter.FULL) {
        lock.unlock();
      }
    }
    return at;
  }

  /**
   * As {@link #takeTurn}, but waits for room. The message is not passed on to here, for the JIT
   * need not create a record that is only written.
   *
   * @return {@link LaneWriter#FULL} if the caller receives and must not wait, or the request is
   *     over
   */
  private long awaitTurn(
      int kind, long correlation, int length, @Nullable PendingRequest<?> request) {
    long seen = firstLook();
    while (true) {
      long at = takeTurn(kind, correlation, length);
      if (at != LaneWriter.FULL) {
        return at;
      }
      if (!moves.grow()) {
        if (ProgressLoop.currentThreadReceives() || (request != null && request.isOver(NO_ROOM))) {
          return LaneWriter.FULL;
        }
        seen = awaitRoom(seen, request);
      }
    }
  }

  @Override
  void leave() {
    lock.unlock();
  }

  /** Whether a message is a single frame, in a larger ring if need be. */
  private boolean fitsOrGrows(int kind, int length) {
    while (!fitsInFrame(kind, length)) {
      if (!moves.grow()) {
        return false;
      }
    }
    return true;
  }

  /** Sends a one-way message if there is room. */
  SendResult trySend(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    boolean sent;
    do {
      sent =
          fitsOrGrows(Frame.MESSAGE, length)
              ? tryWrite(codec, message, length)
              : trySendLarge(codec, message, length);
    } while (!sent && moves.grow());
    return sent ? SendResult.ACCEPTED : SendResult.FULL;
  }

  /** Whether {@link #trySend} of a message of this length would find room now. */
  boolean hasRoom(int length) {
    boolean has;
    do {
      has = hasRoomAsItIs(length);
    } while (!has && moves.grow());
    return has;
  }

  private boolean hasRoomAsItIs(int length) {
    if (!fitsInFrame(Frame.MESSAGE, length) && bulk.availablePermits() == 0) {
      return false; // the large message that is on its way goes first
    }
    lock.lock();
    try {
      throwIfEnded();
      return !mustWait() && canClaim(length);
    } finally {
      lock.unlock();
    }
  }

  /** Answers a request with an error; waits for room unless the caller receives. */
  void sendError(long header, byte[] rest) {
    MemorySegment bytes = MemorySegment.ofArray(rest);
    if (!ProgressLoop.currentThreadReceives()) {
      appendOrWait(header, bytes, 0);
    } else if (!tryAppend(header, bytes, 0)) {
      backlog.addError(new Backlog.Queued(header, rest));
    }
  }

  private boolean tryWrite(MessageCodec codec, Record message, int length) {
    long at = takeTurn(Frame.MESSAGE, 0, length);
    if (at == LaneWriter.FULL) {
      return false;
    }
    write(at, Frame.MESSAGE, codec, message, length);
    return true;
  }

  private void sendLarge(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length,
      @Nullable PendingRequest<?> request) {
    if (ProgressLoop.currentThreadReceives()) {
      backlog.add(kind, correlation, codec, message, length, maxFrameBytes());
      return;
    }
    try (EncodedMessage encoded = new EncodedMessage(codec, message, length)) {
      sendLarge(kind, correlation, encoded, request);
    }
  }

  private void sendLarge(
      int kind, long correlation, EncodedMessage encoded, @Nullable PendingRequest<?> request) {
    if (takeBulk(request)) {
      sendFragments(kind, correlation, encoded, request);
    }
  }

  private boolean takeBulk(@Nullable PendingRequest<?> request) {
    if (request == null) {
      bulk.acquireUninterruptibly();
      return true;
    }
    try {
      if (bulk.tryAcquire(request.leftNs(), TimeUnit.NANOSECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    request.isOver("as other large messages went first");
    return false;
  }

  private void sendFragments(
      int kind, long correlation, EncodedMessage encoded, @Nullable PendingRequest<?> request) {
    boolean handedOn = false;
    try {
      // Closed by who closes the encoded message. The ring does not shrink from here on.
      LargeMessage large = new LargeMessage(kind, correlation, encoded, maxFrameBytes());
      boolean isFirst = true;
      while (!handedOn && large.next()) {
        if (!appendOrWait(large.header(), large.segment(), large.offset(), request)) {
          if (isFirst) {
            return;
          }
          handedOn = true;
          sendBehindCaller(large.restOfFrames());
        }
        isFirst = false;
      }
    } finally {
      if (!handedOn) {
        bulk.release();
      }
    }
  }

  /**
   * The far side has the beginning of a request that is over: the lane cannot carry another large
   * message before the end of this one, for which the caller must not wait.
   */
  private void sendBehindCaller(List<Backlog.Queued> frames) {
    Errands.run(
        "verbena-rest-of-a-large-request",
        () -> {
          try {
            for (Backlog.Queued frame : frames) {
              appendOrWait(frame.header(), MemorySegment.ofArray(frame.rest()), 0);
            }
          } catch (VerbenaException e) {
            // The session is over, and with it the message.
          } finally {
            bulk.release();
          }
        });
  }

  private boolean trySendLarge(MessageCodec codec, Record message, int length) {
    if (!bulk.tryAcquire()) {
      return false;
    }
    try (LargeMessage large =
        new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
      return tryAppendAll(large);
    } finally {
      bulk.release();
    }
  }

  private boolean tryAppendAll(LargeMessage message) {
    lock.lock();
    try {
      throwIfEnded();
      if (mustWait() || !appendAll(message)) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    announce();
    return true;
  }

  // ---------------------------------------------------------------- encoded messages

  /** Sends a message that is encoded already; waits for room unless the caller receives. */
  void send(EncodedMessage message) {
    if (trySend(message)) {
      return;
    }
    if (ProgressLoop.currentThreadReceives()) {
      backlog.add(message.queued(maxFrameBytes()));
    } else if (fitsOrGrows(Frame.MESSAGE, message.length())) {
      appendOrWait(message.header(), message.segment(), EncodedMessage.BODY_OFFSET);
    } else {
      sendLarge(Frame.MESSAGE, 0, message, null);
    }
  }

  /** Sends a message that is encoded already if there is room. */
  boolean trySend(EncodedMessage message) {
    requireKnown(message.typeId(), message.message().getClass().getName());
    boolean sent;
    do {
      sent =
          fitsOrGrows(Frame.MESSAGE, message.length())
              ? tryAppend(message.header(), message.segment(), EncodedMessage.BODY_OFFSET)
              : trySendLarge(message);
    } while (!sent && moves.grow());
    return sent;
  }

  private boolean trySendLarge(EncodedMessage message) {
    if (!bulk.tryAcquire()) {
      return false;
    }
    try {
      return tryAppendAll(message.cut(maxFrameBytes()));
    } finally {
      bulk.release();
    }
  }

  // ---------------------------------------------------------------- frames

  @Override
  boolean tryAppend(long header, MemorySegment rest, long offset) {
    return tryAppend(header, rest, offset, false);
  }

  /**
   * As {@link #tryAppend(long, MemorySegment, long)}.
   *
   * @param goesFirst whether it may go before what is in the backlog
   */
  private boolean tryAppend(long header, MemorySegment rest, long offset, boolean goesFirst) {
    boolean appended;
    do {
      appended = appendUnlessHeldUp(header, rest, offset, goesFirst);
    } while (!appended && moves.grow());
    return appended;
  }

  private boolean appendUnlessHeldUp(
      long header, MemorySegment rest, long offset, boolean goesFirst) {
    lock.lock();
    try {
      throwIfEnded();
      boolean waits = goesFirst ? isSealedFor(header) : mustWait();
      if (waits || !append(header, rest, offset)) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    announce();
    return true;
  }

  private boolean mustWait() {
    return sealed || !backlog.isEmpty();
  }

  /** A seal holds messages up, not what the connections say to each other about it. */
  private boolean isSealedFor(long header) {
    return sealed && Frame.kind(header) != Frame.CONTROL;
  }

  // ---------------------------------------------------------------- what was queued

  /** Puts as much of the backlog on the lane as it takes; returns what is left. */
  int moveBacklog() {
    synchronized (backlog) {
      for (Backlog.Queued first = backlog.first(); first != null; first = backlog.first()) {
        if (backlog.dropIfForgotten(first)) {
          continue;
        }
        if (!tryAppend(first.header(), MemorySegment.ofArray(first.rest()), 0, true)) {
          break;
        }
        backlog.removeFirst();
      }
      return backlog.size();
    }
  }

  /** Whether everything written and queued has been consumed. */
  @Override
  boolean isDrained() {
    return super.isDrained() && moves.areDrained() && backlog.isEmpty();
  }

  // ---------------------------------------------------------------- between the connections

  /** Says something to the peer's connection, before what is queued; false if there is no room. */
  boolean tryControl(int what) {
    return tryAppend(controlFrame(what), MemorySegment.NULL, 0, true);
  }

  /**
   * Lets nobody write from here on; false if not everything was consumed.
   *
   * @param condition looked at while nobody can write; if it is true, the lane is sealed
   */
  boolean seal(BooleanSupplier condition) {
    lock.lock();
    try {
      if (sealed || ended() != null || !isDrained() || !condition.getAsBoolean()) {
        return false;
      }
      sealed = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #seal(BooleanSupplier)}, and says a last thing. */
  boolean seal(int what, BooleanSupplier condition) {
    lock.lock();
    try {
      if (sealed || ended() != null || !isDrained() || !condition.getAsBoolean()) {
        return false;
      }
      sealed = true;
      if (!append(controlFrame(what), MemorySegment.NULL, 0)) {
        throw new IllegalStateException("lane " + id() + " is drained but has no room");
      }
    } finally {
      lock.unlock();
    }
    announce();
    return true;
  }

  private static long controlFrame(int what) {
    return Frame.header(Frame.HEADER_BYTES, what, Frame.CONTROL, 0);
  }

  boolean isSealed() {
    lock.lock();
    try {
      return sealed;
    } finally {
      lock.unlock();
    }
  }

  /** Takes {@link #seal} back. */
  void unseal() {
    lock.lock();
    sealed = false;
    lock.unlock();
  }

  @Override
  boolean isWrittenByCaller() {
    return lock.isMine();
  }

  @Override
  void end(VerbenaException cause) {
    lock.lock();
    super.end(cause);
    lock.unlock();
  }
}
