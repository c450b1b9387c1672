// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.Origin;
import io.verbena.internal.codec.InboundOrigin;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The origin that inline handlers see: one per incoming lane, pointed at each message in turn, so
 * that a message costs no object.
 */
final class InlineOrigin implements InboundOrigin {

  private final Session session;
  private final boolean inner;
  private int typeId;
  private int length;
  private boolean request;
  private boolean answered;
  private long correlation;
  private @Nullable ReplyPath retained;

  /**
   * @param inner whether its messages come by the peer's inner lane
   */
  InlineOrigin(Session session, boolean inner) {
    this.session = session;
    this.inner = inner;
  }

  void pointAtMessage(int newTypeId, int newLength) {
    typeId = newTypeId;
    length = newLength;
    request = false;
    retained = null;
  }

  void pointAtRequest(int newTypeId, int newLength, long newCorrelation) {
    typeId = newTypeId;
    length = newLength;
    request = true;
    answered = false;
    correlation = newCorrelation;
    retained = null;
  }

  int typeId() {
    return typeId;
  }

  /** The handler has returned: a request it neither answered nor retained gets an error. */
  void requestHandled() {
    if (!answered && retained == null) {
      answered = true;
      session
          .answers()
          .replyError(correlation, "the handler of type " + typeId + " returned no answer");
    }
  }

  @Override
  public int nodeId() {
    return session.peer();
  }

  @Override
  public boolean isRequest() {
    return request;
  }

  @Override
  public void reply(Record message) {
    if (retained != null || !request || answered) {
      path().reply(message); // it answers or says why not
    } else {
      session.answers().reply(correlation, message);
      answered = true; // not before: a reply that failed leaves room for an error
    }
  }

  @Override
  public void replyError(String reason) {
    path().replyError(reason);
  }

  @Override
  public CompletableFuture<Void> forward(int to, Record message) {
    return path().forward(to, message);
  }

  @Override
  public Origin retain() {
    return path().retain();
  }

  @Override
  public void handlerFailed(Throwable failure) {
    path().handlerFailed(failure);
  }

  private ReplyPath path() {
    ReplyPath path = retained;
    if (path == null) {
      path = new ReplyPath(session, inner, typeId, length, request, correlation, answered);
      retained = path;
    }
    return path;
  }
}
