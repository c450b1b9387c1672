// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for an answer, by correlation id.
 *
 * <p>An id is 64 bits and never comes twice; its low bits say the slot. Whoever takes a request out
 * of its slot, by CAS, decides its outcome: there is exactly one of reply, timeout, cancel and
 * loss.
 */
public final class RequestTable {

  private final AtomicReferenceArray<@Nullable PendingRequest<?>> slots;
  private final int mask;
  // Random: answers to an earlier life of this node meet no request.
  private final long firstId = ThreadLocalRandom.current().nextLong() >>> 1;
  private final AtomicLong nextId = new AtomicLong(firstId);
  private final AtomicLong unused = new AtomicLong(); // ids that no request got
  private final AtomicLong ended = new AtomicLong();

  /** No open request is due before this, by {@link System#nanoTime}. */
  private final AtomicLong nextDueNs = new AtomicLong(System.nanoTime());

  private volatile Runnable whenDueEarlier = () -> {};

  /**
   * @param capacity how many requests may be open, a power of two
   */
  public RequestTable(int capacity) {
    this.slots = new AtomicReferenceArray<>(capacity);
    this.mask = capacity - 1;
  }

  /** How many requests are open. */
  public int size() {
    long before = ended.get(); // first: what ends in between was opened before
    return (int) (opened() - before);
  }

  /** How many requests there were so far. */
  public long opened() {
    long neverUsed = unused.get(); // first: for each of them an id has been given out before
    return nextId.get() - firstId - neverUsed;
  }

  /**
   * Gives a request its id and a slot.
   *
   * @throws BackPressureException if as many requests as there are slots are open
   */
  public void add(PendingRequest<?> request) {
    for (int tries = 0; tries <= mask; tries++) {
      // Counted as open before it has its slot: forEachOpen must not believe in fewer.
      long id = nextId.getAndIncrement();
      request.id(id);
      if (slots.getPlain((int) id & mask) == null
          && slots.compareAndSet((int) id & mask, null, request)) {
        // After it has its slot: timeOutDue sees it there, or this sees what that has set before.
        if (request.deadlineNs() - nextDueNs.get() < 0) {
          dueEarlier(request.deadlineNs());
        }
        return;
      }
      unused.getAndIncrement();
    }
    throw new BackPressureException(
        (mask + 1) + " requests are open, as many as requests.max allows; wait for replies first");
  }

  /**
   * Takes the request with this id that went to this peer, for the caller to complete; null if it
   * is not open.
   */
  public @Nullable PendingRequest<?> take(long id, Connection from) {
    PendingRequest<?> request = slots.get((int) id & mask);
    if (request == null || request.id() != id || request.connection() != from) {
      return null;
    }
    return remove(request) ? request : null;
  }

  /** Takes this very request; false if another outcome was faster. */
  public boolean remove(PendingRequest<?> request) {
    if (slots.compareAndSet((int) request.id() & mask, request, null)) {
      ended.getAndIncrement();
      return true;
    }
    return false;
  }

  /** Whether the request with this id still waits. */
  boolean isOpen(long id) {
    PendingRequest<?> request = slots.get((int) id & mask);
    return request != null && request.id() == id;
  }

  /** Whether a request to this peer is open. */
  boolean hasAny(Connection to) {
    return !forEachOpen(request -> request.connection() != to);
  }

  /** Takes every request that matches and passes it on to be completed. */
  public void takeIf(Predicate<PendingRequest<?>> matches, Consumer<PendingRequest<?>> taken) {
    forEachOpen(
        request -> {
          if (matches.test(request) && remove(request)) {
            taken.accept(request);
          }
          return true;
        });
  }

  /**
   * Passes the open requests on, the last one first, until one gets false; returns whether none
   * did. Looks no further back than to the oldest that is open, so that one open request costs no
   * walk through all slots. Requests that are opened meanwhile may be passed on, but are not
   * counted in place of others.
   */
  private boolean forEachOpen(Predicate<PendingRequest<?>> each) {
    long next = nextId.get(); // before the size: each request with a smaller id is counted in it
    int left = size();
    for (int back = 1; left > 0 && back <= mask + 1; back++) {
      PendingRequest<?> request = slots.get((int) (next - back) & mask);
      if (request == null) {
        continue;
      }
      left -= request.id() - next < 0 ? 1 : 0;
      if (!each.test(request)) {
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- time

  /** Has somebody called when a request is due before {@link #nextDueNs}, who looks at it again. */
  public void whenDueEarlier(Runnable call) {
    whenDueEarlier = call;
  }

  private void dueEarlier(long deadlineNs) {
    long seen = nextDueNs.get();
    while (deadlineNs - seen < 0) {
      if (nextDueNs.compareAndSet(seen, deadlineNs)) {
        whenDueEarlier.run();
        return;
      }
      seen = nextDueNs.get();
    }
  }

  /** When the next request may be due, by {@link System#nanoTime}. */
  public long nextDueNs() {
    return nextDueNs.get();
  }

  /**
   * Has requests whose time is over fail.
   *
   * @param horizonNs when this will be called again at the latest: a request that is due later
   *     calls nobody
   */
  public void timeOutDue(long nowNs, long horizonNs) {
    nextDueNs.set(horizonNs); // before looking: who adds a request from here on compares with it
    forEachOpen(
        request -> {
          if (nowNs - request.deadlineNs() >= 0) {
            request.timeOut();
          } else {
            nextDueNs.accumulateAndGet(
                request.deadlineNs(), (due, other) -> other - due < 0 ? other : due);
          }
          return true;
        });
  }
}
