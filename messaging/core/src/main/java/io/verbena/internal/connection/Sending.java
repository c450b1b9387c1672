// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.ProgressLoop;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * How messages get onto the lanes of a session: at once if there is room, else by waiting for it; a
 * receiving thread, which must not wait, leaves them in the connection's backlog.
 */
final class Sending {

  private final Host host;
  private final Connection connection;
  private final Session session;
  private final LaneWait wait;
  private final long messageMaxBytes;

  Sending(Session session, LaneWait wait) {
    this.session = session;
    this.wait = wait;
    this.connection = session.connection();
    this.host = session.host();
    this.messageMaxBytes = host.config().messageMaxBytes();
  }

  // ---------------------------------------------------------------- messages

  /** Sends on a lane; waits for room unless the caller receives. */
  void send(OutboundLane lane, int kind, long correlation, MessageCodec codec, Record message) {
    int length = lengthOf(codec, message, messageMaxBytes);
    try {
      if (isLarge(lane, kind, length)) {
        sendLarge(lane, kind, correlation, codec, message, length);
      } else if (!lane.tryWrite(kind, correlation, codec, message, length)) {
        sendSlowly(lane, kind, correlation, codec, message, length);
      }
    } catch (IllegalStateException e) {
      session.throwIfEnded(); // the memory was freed under the writer
      throw e;
    }
  }

  /** Sends on a lane if there is room. */
  SendResult trySend(OutboundLane lane, MessageCodec codec, Record message) {
    int length = lengthOf(codec, message, messageMaxBytes);
    try {
      boolean sent =
          isLarge(lane, Frame.MESSAGE, length)
              ? new LargeMessage(lane, wait, Frame.MESSAGE, 0, codec, message, length).trySend()
              : lane.tryWrite(Frame.MESSAGE, 0, codec, message, length);
      return sent ? SendResult.ACCEPTED : SendResult.FULL;
    } catch (IllegalStateException e) {
      session.throwIfEnded(); // the memory was freed under the writer
      throw e;
    }
  }

  /** The length of a message's body, which must not exceed {@code maxBytes}. */
  static int lengthOf(MessageCodec codec, Record message, long maxBytes) {
    int fixed = codec.fixedLength();
    int length = fixed >= 0 ? fixed : codec.length(message);
    if (length > maxBytes) {
      throw new MessageTooLargeException(
          "a "
              + message.getClass().getName()
              + " of "
              + length
              + " bytes; message.max.bytes is "
              + maxBytes);
    }
    return length;
  }

  private static boolean isLarge(OutboundLane lane, int kind, int length) {
    return length > lane.maxFrameBytes() - Frame.HEADER_BYTES - Frame.prefixBytes(kind);
  }

  private void sendLarge(
      OutboundLane lane,
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length) {
    if (!ProgressLoop.currentThreadReceives()) {
      new LargeMessage(lane, wait, kind, correlation, codec, message, length).send();
    } else if (lane == session.shared()) {
      connection.queue(kind, correlation, codec, message, length);
    } else if (!new LargeMessage(lane, wait, kind, correlation, codec, message, length).trySend()) {
      refuseToWaitFor(lane);
    }
  }

  private void sendSlowly(
      OutboundLane lane,
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length) {
    if (ProgressLoop.currentThreadReceives()) {
      refuseToWaitFor(lane);
      connection.queue(kind, correlation, codec, message, length);
      return;
    }
    long seen;
    do {
      seen = lane.consumed();
      if (lane.tryWrite(kind, correlation, codec, message, length)) {
        return;
      }
      wait.untilConsumed(lane, seen);
    } while (true);
  }

  /**
   * A receiving thread that waited for another one's would wait for ever if that one waited too.
   */
  void refuseToWaitFor(OutboundLane lane) {
    if (lane != session.shared() && ProgressLoop.currentThreadReceives()) {
      throw new BackPressureException(
          "the sender's lane to node "
              + session.peer()
              + " is full, and an inline handler must not wait for room in it;"
              + " use trySend or tryClaim there, or send with the node");
    }
  }

  // ---------------------------------------------------------------- answers

  /** Answers a request; if the requester or this node is gone there is nobody to tell. */
  void reply(long correlation, Record message) {
    MessageCodec codec = host.types().codecOf(message.getClass());
    try {
      send(session.shared(), Frame.REPLY, correlation, codec, message);
    } catch (PeerLostException | NodeClosedException e) {
      host.metrics().undeliverable();
    }
  }

  /** Answers a request with an error. */
  void replyError(long correlation, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    int bytes = Math.min(words.length, session.shared().maxFrameBytes() / 2);
    byte[] rest = new byte[Frame.CORRELATION_BYTES + bytes];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, correlation);
    System.arraycopy(words, 0, rest, Frame.CORRELATION_BYTES, bytes);
    try {
      sendRaw(Frame.header(Frame.HEADER_BYTES + rest.length, 0, Frame.ERROR, 0), rest);
    } catch (PeerLostException | NodeClosedException e) {
      host.metrics().undeliverable();
    } catch (BackPressureException e) {
      host.metrics().undeliverable(); // the requester will see its timeout
    }
  }

  private void sendRaw(long header, byte[] rest) {
    OutboundLane shared = session.shared();
    MemorySegment bytes = MemorySegment.ofArray(rest);
    long seen = shared.consumed();
    while (!shared.tryWriteRaw(header, bytes, 0, false)) {
      if (ProgressLoop.currentThreadReceives()) {
        connection.queue(header, rest);
        return;
      }
      wait.untilConsumed(shared, seen);
      seen = shared.consumed();
    }
  }

  // ---------------------------------------------------------------- what was queued

  /** Puts as much of the backlog on the shared lane as it takes; returns what is left. */
  int moveBacklog() {
    Backlog backlog = connection.backlog();
    synchronized (backlog) {
      for (Backlog.Frame first = backlog.first(); first != null; first = backlog.first()) {
        MemorySegment rest = MemorySegment.ofArray(first.rest());
        if (!session.shared().tryWriteRaw(first.header(), rest, 0, true)) {
          break;
        }
        backlog.removeFirst();
      }
      return backlog.size();
    }
  }
}
