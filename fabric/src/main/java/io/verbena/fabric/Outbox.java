// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Promises of a link that wait until there is room for them, in their order. Any thread. */
final class Outbox {

  private record Failed(Promise<?> promise, Throwable why) {}

  private final Handle fabric;
  private final Link link;
  private final Promises promises;
  private final OperationArray one = new OperationArray(1); // guarded by this, as what follows
  private final Deque<Promise<?>> waiting = new ArrayDeque<>();
  private final List<Failed> failed = new ArrayList<>();

  Outbox(Handle fabric, Link link, Promises promises) {
    this.fabric = fabric;
    this.link = link;
    this.promises = promises;
  }

  /** Posts it now or later; if it is refused, its future says so. */
  void add(Promise<?> promise) {
    synchronized (this) {
      if (!waiting.isEmpty() || !post(promise)) {
        waiting.add(promise);
        leaveWaiting();
      }
    }
    tellFailed();
  }

  /** Posts what there is room for; those that are left wait on. */
  void goOn() {
    synchronized (this) {
      if (!postWaiting()) {
        leaveWaiting();
      }
    }
    tellFailed();
  }

  /** Whoever closes the fabric looks once, and that may be over. Under the lock, as all below. */
  private void leaveWaiting() {
    promises.waitsFor(this);
    if (fabric.isClosed()) {
      postWaiting(); // which meets a closed fabric
    }
  }

  /** Returns whether none is left. */
  private boolean postWaiting() {
    Promise<?> first = waiting.peek();
    while (first != null && post(first)) {
      waiting.remove();
      first = waiting.peek();
    }
    return first == null;
  }

  /** Returns whether it needs to wait no more: it was posted, or cannot be. */
  private boolean post(Promise<?> promise) {
    long cookie = promises.begin(promise);
    one.drop(one.count());
    try {
      promise.filling().fill(one, cookie);
      if (one.post(fabric, link) == 1) {
        return true;
      }
    } catch (Throwable e) { // refused or closed; or memory runs out: the others go on
      if (promises.forget(cookie)) {
        failed.add(new Failed(promise, e));
      }
      return true;
    }
    return !promises.forget(cookie);
  }

  /** Not under the lock: whoever waits for a future may do anything. */
  private void tellFailed() {
    List<Failed> told;
    synchronized (this) {
      if (failed.isEmpty()) {
        return;
      }
      told = List.copyOf(failed);
      failed.clear();
    }
    told.forEach(one -> one.promise().fail(one.why()));
  }
}
