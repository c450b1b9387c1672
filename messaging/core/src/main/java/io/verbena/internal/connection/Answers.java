// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** What goes back to the peer that has asked. If it or this node is gone, nobody is to be told. */
final class Answers {

  private final Session session;

  Answers(Session session) {
    this.session = session;
  }

  /** Answers a request. */
  void reply(long correlation, Record message) {
    Host host = session.host();
    try {
      session
          .openInner()
          .send(Frame.REPLY, correlation, host.types().codecOf(message.getClass()), message, null);
    } catch (PeerLostException | NodeClosedException e) {
      host.metrics().undeliverable();
    }
  }

  /** Answers a request with an error. */
  void replyError(long correlation, String text) {
    try {
      replyError(session.openInner(), correlation, text);
    } catch (PeerLostException | NodeClosedException | BackPressureException e) {
      session.host().metrics().undeliverable(); // of back-pressure the requester sees its time-out
    }
  }

  private static void replyError(SharedLane lane, long correlation, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    int bytes = Math.min(words.length, lane.maxFrameBytes() / 2);
    byte[] rest = new byte[Frame.CORRELATION_BYTES + bytes];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, correlation);
    System.arraycopy(words, 0, rest, Frame.CORRELATION_BYTES, bytes);
    lane.sendError(Frame.header(Frame.HEADER_BYTES + rest.length, 0, Frame.ERROR, 0), rest);
  }
}
