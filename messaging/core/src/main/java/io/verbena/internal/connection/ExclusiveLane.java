// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.UnregisteredTypeException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;

/**
 * A lane that belongs to one thread, which needs no lock. Has no backlog: a receiving thread that
 * finds it full is told so.
 */
public final class ExclusiveLane extends OutboundLane implements Sender {

  private static final long NONE = -1;

  private final Session session;
  private final Ring ring;
  private final LaneWriter writer;
  private final TypeTable types;
  private final int maxClaim;
  private long claimed = NONE;
  private long header;
  private boolean writing;
  private boolean closed;

  ExclusiveLane(Ring ring, Session session) {
    super(
        ring.id(),
        session.laneWait(),
        session.host().config().messageMaxBytes(),
        session.peerTypes());
    this.session = session;
    this.ring = ring;
    this.writer = ring.writer();
    use(ring);
    this.types = session.host().types();
    this.maxClaim = maxFrameBytes() - Frame.HEADER_BYTES;
  }

  @Override
  public int to() {
    return session.peer();
  }

  // ---------------------------------------------------------------- records

  @Override
  public void send(Record message) {
    checkNoClaim();
    writing = true;
    try {
      write(types.codecOf(message.getClass()), message);
    } catch (UnknownToPeerException e) {
      session.undeliverable(message);
    } catch (IllegalStateException e) {
      throw ended(e);
    } finally {
      writing = false;
    }
  }

  private void write(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    if (!fitsInFrame(Frame.MESSAGE, length)) {
      writeLarge(codec, message, length);
      return;
    }
    long seen = firstLook();
    while (!tryWrite(codec, message, length)) {
      refuseToWait();
      seen = awaitRoom(seen);
    }
  }

  @Override
  public SendResult trySend(Record message) {
    checkNoClaim();
    writing = true;
    try {
      return tryWrite(types.codecOf(message.getClass()), message)
          ? SendResult.ACCEPTED
          : SendResult.FULL;
    } catch (UnknownToPeerException e) {
      session.undeliverable(message);
      return SendResult.ACCEPTED;
    } catch (IllegalStateException e) {
      throw ended(e);
    } finally {
      writing = false;
    }
  }

  private boolean tryWrite(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    return fitsInFrame(Frame.MESSAGE, length)
        ? tryWrite(codec, message, length)
        : tryWriteLarge(codec, message, length);
  }

  private boolean tryWrite(MessageCodec codec, Record message, int length) {
    throwIfEnded();
    if (!write(Frame.MESSAGE, 0, codec, message, length)) {
      return false;
    }
    announce();
    return true;
  }

  private void writeLarge(MessageCodec codec, Record message, int length) {
    if (!ProgressLoop.currentThreadReceives()) {
      try (LargeMessage large =
          new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
        appendAllOrWait(large);
      }
    } else if (!tryWriteLarge(codec, message, length)) {
      refuseToWait();
    }
  }

  private boolean tryWriteLarge(MessageCodec codec, Record message, int length) {
    try (LargeMessage large =
        new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
      throwIfEnded();
      if (!appendAll(large)) {
        return false;
      }
    }
    announce();
    return true;
  }

  @Override
  boolean tryAppend(long frame, MemorySegment rest, long offset) {
    throwIfEnded();
    if (!append(frame, rest, offset)) {
      return false;
    }
    announce();
    return true;
  }

  /**
   * A receiving thread that waited for another one's would wait for ever if that one waited too.
   */
  private void refuseToWait() {
    if (ProgressLoop.currentThreadReceives()) {
      throw new BackPressureException(
          "the sender's lane to node "
              + to()
              + " is full, and an inline handler must not wait for room in it;"
              + " use trySend or tryClaim there, or send with the node");
    }
  }

  // ---------------------------------------------------------------- bytes written in place

  @Override
  public long claim(int typeId, int length) {
    long at = tryClaim(typeId, length);
    while (at == NONE) {
      refuseToWait();
      awaitRoom(consumed());
      at = tryClaim(typeId, length);
    }
    return at;
  }

  @Override
  public long tryClaim(int typeId, int length) {
    checkNoClaim();
    if (length < 0 || length > maxClaim) {
      throw new MessageTooLargeException(
          "a claim of "
              + length
              + " bytes; 0 to "
              + maxClaim
              + " are possible, a quarter of lane.bytes");
    }
    String name = types.nameOf(typeId);
    if (name == null) {
      throw new UnregisteredTypeException("type " + typeId + " is not registered");
    }
    requireKnown(typeId, name);
    throwIfEnded();
    int bytes = Frame.HEADER_BYTES + length;
    long at;
    try {
      at = writer.claim(Frame.align(bytes));
    } catch (IllegalStateException e) {
      throw ended(e);
    }
    if (at == LaneWriter.FULL) {
      return NONE;
    }
    header = Frame.header(bytes, typeId, Frame.MESSAGE, 0);
    claimed = at;
    return at + Frame.HEADER_BYTES;
  }

  @Override
  public void commit() {
    long at = takeClaim();
    int bytes = Frame.length(header);
    try {
      writer.publish(at, header, Frame.align(bytes));
    } catch (IllegalStateException e) {
      throw ended(e);
    }
    count(bytes - Frame.HEADER_BYTES);
    announce();
  }

  @Override
  public void abort() {
    writer.abort(takeClaim(), Frame.align(Frame.length(header)));
  }

  @Override
  public MemorySegment segment() {
    return ring.memory().segment();
  }

  @Override
  public int maxClaim() {
    return maxClaim;
  }

  // ---------------------------------------------------------------- the end

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (claimed != NONE) {
      abort();
    }
    session.finishLane(this);
  }

  /** The memory was freed under the writer: why the session is over. */
  private IllegalStateException ended(IllegalStateException e) {
    throwIfEnded();
    return e;
  }

  private long takeClaim() {
    long at = claimed;
    if (at == NONE) {
      throw new IllegalStateException("no claim is open");
    }
    claimed = NONE;
    return at;
  }

  private void checkNoClaim() {
    if (claimed != NONE) {
      throw new IllegalStateException("a claim is open: commit or abort it first");
    }
    if (writing) {
      throw new IllegalStateException(
          "this thread is writing to the lane already; a codec must not send while it writes");
    }
    if (closed) {
      throw new IllegalStateException("this sender is closed");
    }
  }
}
