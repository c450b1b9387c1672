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
  // A random start: answers to an earlier life of this node meet no request.
  private final AtomicLong nextId = new AtomicLong(ThreadLocalRandom.current().nextLong() >>> 1);
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

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
    return (int) (opened.get() - before);
  }

  /** How many requests there were so far. */
  public long opened() {
    return opened.get();
  }

  /**
   * Gives a request its id and a slot.
   *
   * @throws BackPressureException if as many requests as there are slots are open
   */
  public void add(PendingRequest<?> request) {
    for (int tries = 0; tries <= mask; tries++) {
      long id = nextId.getAndIncrement();
      if (slots.getPlain((int) id & mask) != null) {
        continue;
      }
      request.id(id);
      if (slots.compareAndSet((int) id & mask, null, request)) {
        opened.getAndIncrement();
        return;
      }
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

  /** Whether a request to this peer is open. */
  boolean hasAny(Connection to) {
    if (size() == 0) {
      return false;
    }
    for (int i = 0; i <= mask; i++) {
      PendingRequest<?> request = slots.get(i);
      if (request != null && request.connection() == to) {
        return true;
      }
    }
    return false;
  }

  /** Takes every request that matches and passes it on to be completed. */
  public void takeIf(Predicate<PendingRequest<?>> matches, Consumer<PendingRequest<?>> taken) {
    if (size() == 0) {
      return;
    }
    for (int i = 0; i <= mask; i++) {
      PendingRequest<?> request = slots.get(i);
      if (request != null && matches.test(request) && remove(request)) {
        taken.accept(request);
      }
    }
  }
}
