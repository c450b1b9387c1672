// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.VerbenaException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Futures of room in the lanes to one peer. Whoever moves the backlog looks after them; each has
 * one outcome, by whoever is the first to know it. Any thread; no lock is held while one completes,
 * for what is attached to it runs then.
 */
final class RoomWishes {

  /** One of them. */
  static final class Wish extends CompletableFuture<Void> {
    private final BooleanSupplier hasRoom;

    Wish(BooleanSupplier hasRoom) {
      this.hasRoom = hasRoom;
    }

    /** Whether it has its outcome, or gets it here. */
    boolean isOver() {
      try {
        return isDone() || (hasRoom.getAsBoolean() && complete(null));
      } catch (VerbenaException e) { // the lane has ended
        return completeExceptionally(e);
      }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>();
    }
  }

  private final Queue<Wish> open = new ConcurrentLinkedQueue<>();
  private final Runnable told;

  /**
   * @param told called whenever one has got its outcome by {@link #fulfil}
   */
  RoomWishes(Runnable told) {
    this.told = told;
  }

  void add(Wish wish) {
    open.add(wish);
  }

  /** One that was added cannot be looked after. By whoever asked for it. */
  void refuse(Wish wish, VerbenaException cause) {
    open.remove(wish); // else the connection would dial for it
    wish.completeExceptionally(cause);
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** Completes those for whom there is room, or will be none; returns how many are left. */
  int fulfil() {
    if (open.isEmpty()) { // as a rule: a backlog alone brings no garbage
      return 0;
    }
    int left = 0;
    for (Iterator<Wish> each = open.iterator(); each.hasNext(); ) {
      if (each.next().isOver()) {
        each.remove();
        told.run();
      } else {
        left++;
      }
    }
    return left;
  }

  /** Takes all out, to be failed. */
  List<Wish> take() {
    List<Wish> taken = new ArrayList<>();
    for (Wish wish = open.poll(); wish != null; wish = open.poll()) {
      taken.add(wish);
    }
    return taken;
  }

  static void fail(Host host, List<Wish> wishes, VerbenaException cause) {
    for (Wish wish : wishes) {
      wish.completeExceptionally(Failures.again(cause));
    }
    if (!wishes.isEmpty()) {
      host.wakeReceivers();
    }
  }
}
