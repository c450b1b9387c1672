// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.rdma.internal.News;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Who waits for a connection that was dialled: at most one thread for each peer. */
final class Dials {

  private final Map<Integer, CompletableFuture<RdmaLink>> waiting = new ConcurrentHashMap<>();

  /** From here on what becomes of a dial of this peer is kept for {@link #await}. */
  CompletableFuture<RdmaLink> begin(int peer) {
    CompletableFuture<RdmaLink> dial = new CompletableFuture<>();
    waiting.put(peer, dial);
    return dial;
  }

  void end(int peer, CompletableFuture<RdmaLink> dial) {
    waiting.remove(peer, dial);
  }

  /** Waits for the link. */
  static RdmaLink await(CompletableFuture<RdmaLink> dial, String what, Duration timeout)
      throws IOException {
    try {
      return dial.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(what + ": no answer in " + timeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(what + ": interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(what, e.getCause());
    }
  }

  /** A dialled link is up; false if nobody waits for it any more. By the loop. */
  boolean up(int peer, RdmaLink link) {
    CompletableFuture<RdmaLink> dial = waiting.get(peer);
    return dial != null && dial.complete(link);
  }

  /** No link came of it, for {@code why}. */
  void failed(int peer, IOException why) {
    CompletableFuture<RdmaLink> dial = waiting.get(peer);
    if (dial != null) {
      dial.completeExceptionally(why);
    }
  }

  /** Nobody will be connected any more. */
  void failAll(IOException why) {
    waiting.values().forEach(dial -> dial.completeExceptionally(why));
  }

  /** What a failed dial is to the node. */
  static IOException failure(News news) {
    Reason reason = reason(news.refusal());
    return reason == null
        ? new IOException(news.text())
        : new RefusedException(reason, news.text());
  }

  private static @Nullable Reason reason(int refusal) {
    return switch (refusal) {
      case News.REFUSED_PROTOCOL -> Reason.PROTOCOL;
      case News.REFUSED_IDENTITY -> Reason.IDENTITY;
      case News.REFUSED_KEY -> Reason.KEY;
      case News.REFUSED_CROSSED -> Reason.CROSSED;
      case News.REFUSED_CLOSING -> Reason.CLOSING;
      default -> null;
    };
  }
}
