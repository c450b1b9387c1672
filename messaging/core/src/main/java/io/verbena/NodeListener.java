// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.foreign.MemorySegment;

/** What happens to a node's connections. Called on Verbena's threads: return soon, do not block. */
public interface NodeListener {

  /** A session with a peer began, or its link was made again. */
  default void connected(ConnectionInfo connection) {}

  /** The link to a peer is gone; if it can be resumed nothing is lost. */
  default void disconnected(ConnectionInfo connection, String reason) {}

  /** The session with a peer is over: it died, was removed, or spoke nonsense. */
  default void lost(int nodeId, String reason) {}

  /**
   * A session with a peer was asked for, and the peer was not reached within {@code
   * connect.timeout}, or it refused. This is told when a dial fails, and again while one goes on
   * because others asked later. It is told once per {@code connect.timeout} at most; of several
   * refusals within that time the last one is told at its end. Senders that wait hear the same by
   * an exception; who only uses {@link Node#trySend} hears it here. A session that did not come
   * back is told by {@link #lost} alone.
   */
  default void unreachable(int nodeId, String reason) {}

  /** A peer came back as a new life of itself; what it knew is gone. */
  default void restarted(int nodeId) {}

  /**
   * A message was accepted and will not be consumed: its lane is gone, or the peer's version of the
   * program does not know its type. Messages that the peer consumed but had not handled when it
   * died are not reported: nobody can know.
   *
   * @param nodeId where it was to go
   * @param typeId its type
   * @param segment holds its bytes, during this call only; fragments of large messages come one by
   *     one
   */
  default void undeliverable(
      int nodeId, int typeId, MemorySegment segment, long offset, int length) {}

  /**
   * A message was taken, and the node closed before its handler's turn: it is not handled. If it
   * was a request, its sender is told.
   */
  default void dropped(int nodeId, int typeId) {}

  /**
   * A handler threw, or there was none, or the message holds what only its sender's version of the
   * program can express ({@link IncompatibleMessageException}).
   */
  default void handlerFailed(int nodeId, int typeId, Throwable failure) {}
}
