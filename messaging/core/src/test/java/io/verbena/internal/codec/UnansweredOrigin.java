// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.Origin;
import java.util.concurrent.CompletableFuture;

/** An origin that nobody answers, of messages whose handlers do not fail. */
public class UnansweredOrigin implements InboundOrigin {

  @Override
  public void handlerFailed(Throwable failure) {
    throw new AssertionError(failure);
  }

  @Override
  public int nodeId() {
    return 1;
  }

  @Override
  public boolean isRequest() {
    return false;
  }

  @Override
  public void reply(Record message) {}

  @Override
  public void replyError(String reason) {}

  @Override
  public CompletableFuture<Void> forward(int to, Record message) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Origin retain() {
    return this;
  }
}
