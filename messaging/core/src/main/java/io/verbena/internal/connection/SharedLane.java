// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.SendResult;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.SpinLock;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A lane that all threads of a node send on, one at a time under a lock. Who finds no room waits
 * for it; a receiving thread, which must not wait, leaves its message in the lane's {@link
 * Backlog}, and who comes later waits until that is empty.
 */
final class SharedLane extends OutboundLane {

  /** How many a session has; their ids come first. */
  static final int COUNT = 1;

  private final SpinLock lock = new SpinLock();

  /** Held while a fragmented message is sent, so that there is one at a time. */
  private final ReentrantLock bulk = new ReentrantLock();

  private final Backlog backlog;
  private boolean sealed; // under the lock: nothing more is written unless unsealed

  /**
   * @param backlog outlives the lane: what no session has taken waits there for the next one
   */
  SharedLane(int id, LaneMemory memory, LaneWait wait, long messageMaxBytes, Backlog backlog) {
    super(id, memory, wait, messageMaxBytes);
    this.backlog = backlog;
  }

  // ---------------------------------------------------------------- messages

  /** Sends a message; waits for room unless the caller receives. */
  void send(int kind, long correlation, MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    if (!fitsInFrame(kind, length)) {
      sendLarge(kind, correlation, codec, message, length);
      return;
    }
    long seen = firstLook();
    while (!tryWrite(kind, correlation, codec, message, length)) {
      if (ProgressLoop.currentThreadReceives()) {
        backlog.add(kind, correlation, codec, message, length, maxFrameBytes());
        return;
      }
      seen = awaitRoom(seen);
    }
  }

  /** Sends a one-way message if there is room. */
  SendResult trySend(MessageCodec codec, Record message) {
    int length = bodyBytes(codec, message);
    boolean sent =
        fitsInFrame(Frame.MESSAGE, length)
            ? tryWrite(Frame.MESSAGE, 0, codec, message, length)
            : trySendLarge(codec, message, length);
    return sent ? SendResult.ACCEPTED : SendResult.FULL;
  }

  /** Sends a frame whose bytes are there already; waits for room unless the caller receives. */
  void send(long header, byte[] rest) {
    MemorySegment bytes = MemorySegment.ofArray(rest);
    if (!ProgressLoop.currentThreadReceives()) {
      appendOrWait(header, bytes, 0);
    } else if (!tryAppend(header, bytes, 0)) {
      backlog.add(new Backlog.Queued(header, rest));
    }
  }

  private boolean tryWrite(
      int kind, long correlation, MessageCodec codec, Record message, int length) {
    lock.lock();
    try {
      throwIfEnded();
      if (mustWait() || !write(kind, correlation, codec, message, length)) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    announce();
    return true;
  }

  private void sendLarge(
      int kind, long correlation, MessageCodec codec, Record message, int length) {
    if (ProgressLoop.currentThreadReceives()) {
      backlog.add(kind, correlation, codec, message, length, maxFrameBytes());
      return;
    }
    try (LargeMessage large =
        new LargeMessage(kind, correlation, codec, message, length, maxFrameBytes())) {
      bulk.lock();
      try {
        appendAllOrWait(large);
      } finally {
        bulk.unlock();
      }
    }
  }

  private boolean trySendLarge(MessageCodec codec, Record message, int length) {
    if (!bulk.tryLock()) {
      return false;
    }
    try (LargeMessage large =
        new LargeMessage(Frame.MESSAGE, 0, codec, message, length, maxFrameBytes())) {
      return tryAppendAll(large);
    } finally {
      bulk.unlock();
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
    return super.isDrained() && backlog.isEmpty();
  }

  // ---------------------------------------------------------------- between the connections

  /** Says something to the peer's connection, before what is queued; false if there is no room. */
  boolean tryControl(int what) {
    return tryAppend(controlFrame(what), MemorySegment.NULL, 0, true);
  }

  /**
   * Says a last thing and lets nobody write after it; false if not everything was consumed.
   *
   * @param condition looked at while nobody can write; if it is true, the lane is sealed
   */
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
  void end(VerbenaException cause) {
    lock.lock();
    super.end(cause);
    lock.unlock();
  }
}
