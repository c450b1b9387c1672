// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.UnregisteredTypeException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import io.verbena.transport.AsymmetricFence;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lane that belongs to one thread, which needs no lock. Has no backlog: a receiving thread that
 * finds it full is told so.
 *
 * <p>Its owner says while it is inside, by plain stores. Whoever ends the session waits until it
 * has left: so what was accepted is in the lane when that is reported, and the memory is not freed
 * under the writer.
 */
public final class ExclusiveLane extends OutboundLane implements Sender {

  private static final long NONE = -1;
  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(ExclusiveLane.class, "inside", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Session session;
  private final Ring ring;
  private final LaneWriter writer;
  private final TypeTable types;
  private final int maxClaim;
  private long claimed = NONE;
  private long header;
  private boolean writing;
  private boolean closed;

  @SuppressWarnings("unused") // by INSIDE: the id of the owner's thread while it writes, else 0
  private long inside;

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
      seen = awaitRoom(seen, null);
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
    enter();
    try {
      if (!write(Frame.MESSAGE, 0, codec, message, length)) {
        return false;
      }
    } finally {
      leave();
    }
    announce();
    return true;
  }

  private void writeLarge(MessageCodec codec, Record message, int length) {
    if (!ProgressLoop.currentThreadReceives()) {
      try (LargeMessage large =
          new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
        while (large.next()) {
          appendOrWait(large.header(), large.segment(), large.offset());
        }
      }
    } else if (!tryWriteLarge(codec, message, length)) {
      refuseToWait();
    }
  }

  private boolean tryWriteLarge(MessageCodec codec, Record message, int length) {
    try (LargeMessage large =
        new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
      enter();
      try {
        if (!appendAll(large)) {
          return false;
        }
      } finally {
        leave();
      }
    }
    announce();
    return true;
  }

  @Override
  boolean tryAppend(long frame, MemorySegment rest, long offset) {
    enter();
    try {
      if (!append(frame, rest, offset)) {
        return false;
      }
    } finally {
      leave();
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
      awaitRoom(consumed(), null);
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
    int bytes = Frame.HEADER_BYTES + length;
    long at;
    enter();
    try {
      at = writer.claim(Frame.align(bytes));
    } finally {
      leave();
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
    enter();
    try {
      writer.publish(at, header, Frame.align(bytes));
    } finally {
      leave();
    }
    count(bytes - Frame.HEADER_BYTES);
    announce();
  }

  @Override
  public void abort() {
    long at = takeClaim();
    enter();
    try {
      writer.abort(at, Frame.align(Frame.length(header)));
    } finally {
      leave();
    }
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
    if (claimed != NONE && ended() == null) {
      try {
        abort();
      } catch (PeerLostException | NodeClosedException e) {
        // The session is over, and with it what was claimed.
      }
    }
    session.finishLane(this);
  }

  /** The owner is about to write, unless the session is over. */
  private void enter() {
    INSIDE.setOpaque(this, Thread.currentThread().threadId());
    AsymmetricFence.light(); // pairs with heavy in end: we see that it is over, or it sees us
    if (ended() != null) {
      leave();
      throwIfEnded();
    }
  }

  private void leave() {
    INSIDE.setRelease(this, 0L); // pairs with the acquire in end, which sees what was written
  }

  @Override
  void end(VerbenaException cause) {
    super.end(cause);
    AsymmetricFence.heavy(); // pairs with light in enter
    long self = Thread.currentThread().threadId();
    for (long owner = owner(); owner != 0 && owner != self; owner = owner()) {
      Thread.yield(); // for as long as a message takes to be written
    }
  }

  private long owner() {
    return (long) INSIDE.getAcquire(this);
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
