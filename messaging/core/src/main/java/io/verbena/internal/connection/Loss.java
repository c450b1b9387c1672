// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.VerbenaException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What hung on a session that is over. User code hears of it, which may send again: it is told when
 * no lock is held.
 *
 * @param session excludes its writers already
 * @param kind why there was a loss, or that there was none
 * @param requests taken from the table, to be failed
 * @param queued taken from the backlog: what handlers had sent
 * @param wishes taken from those who wait for room
 */
record Loss(
    Session session,
    Kind kind,
    VerbenaException cause,
    List<PendingRequest<?>> requests,
    List<Backlog.Queued> queued,
    List<RoomWishes.Wish> wishes) {

  /** How a session ended. */
  enum Kind {
    /** The peer is gone, has broken the protocol, or has given the session up. */
    LOST,
    /** The peer was started again. */
    RESTARTED,
    /** It was idle: nothing is lost, and only the counters tell. */
    EVICTED
  }

  /** Nothing hangs on it. */
  static Loss ofIdle(Session session, VerbenaException cause) {
    return new Loss(session, Kind.EVICTED, cause, List.of(), List.of(), List.of());
  }

  /** Tells whom it concerns, and frees the session's memory. */
  void tell(Connection connection) {
    Host host = connection.host();
    fail(host, requests, cause); // first: their time may end while listeners hear of messages
    RoomWishes.fail(host, wishes, cause);
    session.reportAndFree();
    if (kind == Kind.EVICTED) {
      host.metrics().connectionEvicted();
      host.stateChanged(connection.info(session), "idle");
      return;
    }
    host.metrics().connectionLost();
    String why = String.valueOf(cause.getMessage());
    host.stateChanged(connection.info(session), why);
    host.tell(
        listener -> {
          if (kind == Kind.RESTARTED) {
            listener.restarted(connection.peer());
          } else {
            listener.lost(connection.peer(), why);
          }
        });
    discard(connection, queued); // its successor must not get the rest of a large message
  }

  /** Fails requests that cannot be answered any more. */
  static void fail(Host host, List<PendingRequest<?>> requests, VerbenaException cause) {
    for (PendingRequest<?> request : requests) {
      host.metrics().requestFailed();
      request.completeExceptionally(Failures.again(cause));
    }
    if (!requests.isEmpty()) {
      host.wakeReceivers();
    }
  }

  /** Reports queued frames that will not be sent any more. */
  static void discard(Connection connection, List<Backlog.Queued> queued) {
    Undelivered undelivered = new Undelivered(connection.host(), connection.peer());
    for (Backlog.Queued frame : queued) {
      undelivered.frame(MemorySegment.ofArray(frame.rest()), 0, frame.header());
    }
  }
}
