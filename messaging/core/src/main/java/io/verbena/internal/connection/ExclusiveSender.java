// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.MessageTooLargeException;
import io.verbena.SendResult;
import io.verbena.Sender;
import io.verbena.UnregisteredTypeException;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.LaneWriter;
import java.lang.foreign.MemorySegment;

/** An exclusive lane as its owner sees it. */
public final class ExclusiveSender implements Sender {

  private static final long NONE = -1;

  private final Session session;
  private final OutboundLane lane;
  private final LaneWriter writer;
  private final TypeTable types;
  private final int maxClaim;
  private long claimed = NONE;
  private long header;
  private boolean writing;
  private boolean closed;

  ExclusiveSender(Session session, OutboundLane lane) {
    this.session = session;
    this.lane = lane;
    this.writer = lane.writer();
    this.types = session.host().types();
    this.maxClaim = lane.maxFrameBytes() - Frame.HEADER_BYTES;
  }

  @Override
  public int to() {
    return session.peer();
  }

  @Override
  public void send(Record message) {
    checkNoClaim();
    writing = true;
    try {
      session.sending().send(lane, Frame.MESSAGE, 0, types.codecOf(message.getClass()), message);
    } finally {
      writing = false;
    }
  }

  @Override
  public SendResult trySend(Record message) {
    checkNoClaim();
    writing = true;
    try {
      return session.sending().trySend(lane, types.codecOf(message.getClass()), message);
    } finally {
      writing = false;
    }
  }

  @Override
  public long claim(int typeId, int length) {
    long at = tryClaim(typeId, length);
    while (at == NONE) {
      session.sending().refuseToWaitFor(lane);
      session.laneWait().untilConsumed(lane, lane.consumed());
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
    if (types.nameOf(typeId) == null) {
      throw new UnregisteredTypeException("type " + typeId + " is not registered");
    }
    lane.throwIfEnded();
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
    lane.count(bytes - Frame.HEADER_BYTES);
    lane.outlet().published();
  }

  @Override
  public void abort() {
    writer.abort(takeClaim(), Frame.align(Frame.length(header)));
  }

  @Override
  public MemorySegment segment() {
    return lane.memory().segment();
  }

  @Override
  public int maxClaim() {
    return maxClaim;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (claimed != NONE) {
      abort();
    }
    session.finishLane(lane);
  }

  /** The memory was freed under the writer: why the session is over. */
  private IllegalStateException ended(IllegalStateException e) {
    lane.throwIfEnded();
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
