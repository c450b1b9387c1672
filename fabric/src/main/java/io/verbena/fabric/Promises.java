// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Promises of a fabric that are under way, by cookie, and outboxes where more wait. Any thread. */
final class Promises {

  private final Map<Long, Promise<?>> underWay = new ConcurrentHashMap<>();
  private final Set<Outbox> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicLong nextCookie = new AtomicLong();

  /** Before it is posted: its end may be told of at once. */
  long begin(Promise<?> promise) {
    long cookie = nextCookie.getAndIncrement();
    underWay.put(cookie, promise);
    return cookie;
  }

  /** It was not posted; returns false if its end was told nonetheless, as that of the fabric. */
  boolean forget(long cookie) {
    return underWay.remove(cookie) != null;
  }

  void waitsFor(Outbox outbox) {
    waiting.add(outbox);
  }

  boolean someWait() {
    return !waiting.isEmpty();
  }

  /** Those that are under way at this moment, however they end. */
  List<CompletableFuture<?>> underWay() {
    List<CompletableFuture<?>> futures = new ArrayList<>();
    underWay.values().forEach(promise -> futures.add(promise.future()));
    return futures;
  }

  /** Tells those whose operations have ended. */
  void end(Completions completions) {
    for (int i = 0; i < completions.count(); i++) {
      Promise<?> promise = underWay.remove(completions.cookie(i));
      if (promise != null) {
        end(promise, completions, i);
      }
    }
  }

  private static void end(Promise<?> promise, Completions completions, int index) {
    try {
      switch (completions.outcome(index)) {
        case DONE -> promise.fulfil();
        case REFUSED -> promise.fail(new RefusedException(completions.sentence(index)));
        case UNKNOWN -> promise.fail(new UnknownOutcomeException(completions.sentence(index)));
      }
    } catch (Throwable e) { // memory runs out, say: nobody else tells of this one
      promise.future().completeExceptionally(e);
    }
  }

  /** Posts what there is room for by now. */
  void goOn() {
    if (waiting.isEmpty()) {
      return;
    }
    for (Outbox outbox : List.copyOf(waiting)) { // one that is put back is not met again
      waiting.remove(outbox); // before the look: who adds to it from here on puts it back
      outbox.goOn();
    }
  }

  /** The fabric is closed, and nothing is begun any more. */
  void failAll(String why) {
    for (Outbox outbox : waiting) {
      outbox.goOn(); // which meets a closed fabric
    }
    for (Long cookie : underWay.keySet()) {
      Promise<?> promise = underWay.remove(cookie);
      if (promise != null) {
        promise.fail(new ClosedException(promise.what() + ": " + why));
      }
    }
  }
}
