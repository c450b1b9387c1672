// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.util.concurrent.CompletableFuture;

/**
 * Where a message came from, and the way to answer it.
 *
 * <p>An inline handler gets one that is reused for the next message: to answer later or from
 * another thread, keep what {@link #retain()} returns. A request is answered exactly once: a second
 * answer throws {@link IllegalStateException}.
 */
public interface Origin {

  /** The id of the node that sent the message. */
  int nodeId();

  /** Whether the sender waits for a reply. */
  boolean isRequest();

  /**
   * Answers the request. If this throws, the request is not answered yet: another answer may be
   * given, and a handler that lets the exception through has the requester hear it at once.
   *
   * @throws IllegalStateException if the message was no request or was answered before
   */
  void reply(Record message);

  /**
   * Answers the request with an error; the requester's future fails with {@link
   * RemoteHandlerException} carrying this text.
   *
   * @throws IllegalStateException if the message was no request or was answered before
   */
  void replyError(String reason);

  /**
   * Sends a message on to another node on behalf of this one's sender. If this message is a
   * request, the other node's reply or error becomes the answer to it; so does whatever keeps it
   * from being asked or its reply from being passed back, such as a time-out ({@code
   * request.timeout}). If this throws, as {@link Node#requestAsync} or {@link Node#send(int,
   * Record)} do, the request is not answered yet, as with {@link #reply}.
   *
   * @return completes when the message has been handed to the other node's connection (one way) or
   *     when its answer has been passed back (request)
   */
  CompletableFuture<Void> forward(int to, Record message);

  /** This origin as an object of its own, usable from any thread for as long as needed. */
  Origin retain();
}
