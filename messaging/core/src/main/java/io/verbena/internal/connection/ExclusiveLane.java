// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.TypedSender;
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
import java.util.concurrent.CompletableFuture;

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
  private long claimed;
  private long header;
  private long checkedType = Long.MIN_VALUE; // that of the last claim; at first no int at all
  private Use use = Use.FREE;

  @SuppressWarnings("unused") // by INSIDE: the id of the owner's thread while it writes, else 0
  private long inside;

  /** What the owner does with the lane: one look tells whether it may begin something. */
  private enum Use {
    FREE,
    CLAIMED,
    WRITING,
    CLOSED
  }

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
    begin();
    try {
      write(types.codecOf(message.getClass()), message);
    } catch (UnknownToPeerException e) {
      session.undeliverable(message);
    } finally {
      use = Use.FREE;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // a sender made for a type writes records of that type
  public <T extends Record> TypedSender<T> typed(Class<T> type) {
    MessageCodec codec = types.codecOf(type);
    boolean isPlain =
        fitsInFrame(Frame.MESSAGE, codec.fixedLength())
            && codec.fixedLength() <= session.host().config().messageMaxBytes()
            && session.peerTypes().knows(codec.typeId());
    TypedSender<? extends Record> made =
        isPlain ? codec.typedSender(new TypedTurn(this, codec)) : null;
    return made == null ? this::send : (TypedSender<T>) made;
  }

  private void write(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    if (!fitsInFrame(Frame.MESSAGE, length)) {
      writeLarge(codec, message, length);
      return;
    }
    int frameBytes = Frame.align(Frame.HEADER_BYTES + length);
    long at = takeTurn(frameBytes);
    if (at == LaneWriter.FULL) {
      at = awaitTurn(frameBytes);
    }
    write(at, Frame.MESSAGE, codec, message, length);
  }

  /** Enters and claims room; {@link LaneWriter#FULL} if there is none, and then it has left. */
  private long takeTurn(int frameBytes) {
    enter();
    long at = writer.claim(frameBytes);
    if (at == LaneWriter.FULL) {
      leave();
    }
    return at;
  }

  /**
   * As {@link #takeTurn}, but waits for room. The message is not passed on to here, for the JIT
   * need not create a record that is only written.
   */
  private long awaitTurn(int frameBytes) {
    long seen = firstLook();
    long at = takeTurn(frameBytes);
    while (at == LaneWriter.FULL) {
      refuseToWait();
      seen = awaitRoom(seen, null);
      at = takeTurn(frameBytes);
    }
    return at;
  }

  // ---------------------------------------------------------------- by a typed sender

  /** Enters and claims room, waiting for it; {@link #endTurn} or {@link #abortTurn} follows. */
  long beginTurn(int frameBytes) {
    requireFree();
    long at = takeTurn(frameBytes);
    if (at == LaneWriter.FULL) {
      at = awaitTurn(frameBytes);
    }
    use = Use.WRITING;
    return at;
  }

  void endTurn(long at, long frame, int frameBytes) {
    writer.publish(at, frame, frameBytes);
    leave();
    use = Use.FREE;
    count(Frame.length(frame) - Frame.HEADER_BYTES);
    announce();
  }

  void abortTurn(long at, int frameBytes) {
    writer.abort(at, frameBytes);
    leave();
    use = Use.FREE;
  }

  // ---------------------------------------------------------------- records of any type

  @Override
  public SendResult trySend(Record message) {
    begin();
    try {
      return tryWrite(types.codecOf(message.getClass()), message)
          ? SendResult.ACCEPTED
          : SendResult.FULL;
    } catch (UnknownToPeerException e) {
      session.undeliverable(message);
      return SendResult.ACCEPTED;
    } finally {
      use = Use.FREE;
    }
  }

  private boolean tryWrite(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    return fitsInFrame(Frame.MESSAGE, length)
        ? tryWrite(codec, message, length)
        : tryWriteLarge(codec, message, length);
  }

  private boolean tryWrite(MessageCodec codec, Record message, int length) {
    long at = takeTurn(Frame.align(Frame.HEADER_BYTES + length));
    if (at == LaneWriter.FULL) {
      return false;
    }
    write(at, Frame.MESSAGE, codec, message, length);
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
    long seen = firstLook();
    long at = tryClaim(typeId, length);
    while (at == NONE) {
      refuseToWait();
      seen = awaitRoom(seen, null);
      at = tryClaim(typeId, length);
    }
    return at;
  }

  @Override
  public long tryClaim(int typeId, int length) {
    requireFree();
    checkClaim(length);
    if (typeId != checkedType) {
      checkType(typeId);
    }
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
    use = Use.CLAIMED;
    return at + Frame.HEADER_BYTES;
  }

  private void checkClaim(int length) {
    if (length < 0 || length > maxClaim) {
      throw new MessageTooLargeException(
          "a claim of "
              + length
              + " bytes; 0 to "
              + maxClaim
              + " are possible, a quarter of lane.bytes");
    }
  }

  /** Both sides know the type for as long as the session lasts: one look is enough. */
  private void checkType(int typeId) {
    String name = types.nameOf(typeId);
    if (name == null) {
      throw new UnregisteredTypeException("type " + typeId + " is not registered");
    }
    requireKnown(typeId, name);
    checkedType = typeId;
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

  // ---------------------------------------------------------------- room

  @Override
  public CompletableFuture<Void> whenRoom(int length) {
    requireFree();
    checkClaim(length);
    return whenConsumed(writer.roomFrom(Frame.align(Frame.HEADER_BYTES + length)));
  }

  @Override
  public CompletableFuture<Void> whenRoom(Record message) {
    requireFree();
    MessageCodec codec = types.codecOf(message.getClass());
    int length;
    try {
      length = bodyBytes(codec, message);
    } catch (UnknownToPeerException e) {
      return CompletableFuture.completedFuture(null); // it is reported, and takes none
    }
    if (fitsInFrame(Frame.MESSAGE, length)) {
      return whenRoom(length);
    }
    checkFitsAtOnce(codec, length, ring.capacity());
    return whenConsumed(writer.roomForAllFrom(LargeMessage.laneBytes(length, maxFrameBytes())));
  }

  private CompletableFuture<Void> whenConsumed(long position) {
    return session.connection().whenRoom(() -> hasConsumed(position));
  }

  /** By any thread: the owner may be writing meanwhile. */
  private boolean hasConsumed(long position) {
    throwIfEnded();
    try {
      return ring.consumed() >= position;
    } catch (IllegalStateException e) {
      throwIfEnded(); // its memory was freed between the two
      throw e;
    }
  }

  // ---------------------------------------------------------------- the end

  @Override
  public void close() {
    if (use == Use.CLOSED) {
      return;
    }
    if (use != Use.CLAIMED) {
      requireFree();
    } else if (ended() == null) {
      try {
        abort();
      } catch (PeerLostException | NodeClosedException e) {
        // The session is over, and with it what was claimed.
      }
    }
    use = Use.CLOSED;
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

  @Override
  void leave() {
    INSIDE.setRelease(this, 0L); // pairs with the acquire in end, which sees what was written
  }

  @Override
  void end(VerbenaException cause) {
    super.end(cause);
    AsymmetricFence.heavy(); // pairs with light in enter
    while (owner() != 0) {
      Thread.yield(); // for as long as a message takes to be written
    }
  }

  @Override
  boolean isWrittenByCaller() {
    return owner() == Thread.currentThread().threadId();
  }

  private long owner() {
    return (long) INSIDE.getAcquire(this);
  }

  private long takeClaim() {
    if (use != Use.CLAIMED) {
      throw new IllegalStateException("no claim is open");
    }
    use = Use.FREE;
    return claimed;
  }

  private void begin() {
    requireFree();
    use = Use.WRITING;
  }

  private void requireFree() {
    if (use != Use.FREE) {
      throw new IllegalStateException(
          switch (use) {
            case CLAIMED -> "a claim is open: commit or abort it first";
            case WRITING ->
                "this thread is writing to the lane already; a codec must not send while it writes";
            case CLOSED -> "this sender is closed";
            case FREE -> throw new AssertionError();
          });
    }
  }
}
