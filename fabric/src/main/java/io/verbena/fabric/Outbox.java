// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Promises of a link that wait until there is room for them, in their order. Any thread. */
final class Outbox {

  private static final int BATCH = 16;

  /** Where so many wait, more are refused: their caller is faster than the link for good. */
  static final int MOST_WAITING = 1 << 17;

  private record Failed(Promise<?> promise, Throwable why) {}

  private final Handle fabric;
  private final Link link;
  private final Promises promises;
  private final OperationArray array = new OperationArray(BATCH); // guarded by this, as below
  private final List<Promise<?>> batch = new ArrayList<>(BATCH); // that is being posted
  private final long[] cookies = new long[BATCH]; // of it
  private final Deque<Promise<?>> waiting = new ArrayDeque<>();
  private final List<Failed> failed = new ArrayList<>();

  Outbox(Handle fabric, Link link, Promises promises) {
    this.fabric = fabric;
    this.link = link;
    this.promises = promises;
  }

  /** Posts it now or later; if it is refused, its future says so. */
  void add(Promise<?> promise) {
    addAll(List.of(promise));
  }

  /** Likewise several, at once as far as there is room. */
  void addAll(List<Promise<?>> all) {
    synchronized (this) {
      boolean othersWait = !waiting.isEmpty();
      if (waiting.size() >= MOST_WAITING) {
        all.forEach(promise -> failed.add(new Failed(promise, tooMany(promise))));
      } else {
        waiting.addAll(all);
      }
      if (othersWait || !postWaiting()) {
        leaveWaiting();
      }
    }
    tellFailed();
  }

  private static RefusedException tooMany(Promise<?> promise) {
    return new RefusedException(
        promise.what()
            + ": "
            + MOST_WAITING
            + " operations or more wait for room on this link, the most that may;"
            + " wait for some of their futures before you begin others");
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
    int most = BATCH;
    while (!waiting.isEmpty()) {
      int before = waiting.size();
      boolean isRefused = !postBatch(most);
      if (!isRefused && waiting.size() == before) {
        return false;
      }
      most = isRefused ? 1 : BATCH; // which of them it was, it shows when it is alone
    }
    return true;
  }

  /** Takes out those that need to wait no more. False if one of several cannot be posted. */
  private boolean postBatch(int most) {
    array.drop(array.count());
    batch.clear();
    while (batch.size() < most && !waiting.isEmpty()) {
      batch.add(waiting.remove());
    }
    int begun = 0;
    try {
      for (Promise<?> promise : batch) {
        cookies[begun] = promises.begin(promise);
        promise.filling().fill(array, cookies[begun++]);
      }
      putBack(array.post(fabric, link), begun);
      return true;
    } catch (Throwable e) { // refused or closed; or memory runs out: the others go on
      boolean isAlone = batch.size() == 1;
      if (isAlone && (begun == 0 || promises.forget(cookies[0]))) {
        failed.add(new Failed(batch.getFirst(), e));
      }
      putBack(isAlone ? 1 : 0, begun);
      return isAlone;
    }
  }

  /**
   * From an index on they wait on, but for those that were told of meanwhile as the fabric ends.
   */
  private void putBack(int first, int begun) {
    for (int i = batch.size() - 1; i >= first; i--) {
      if (i >= begun || promises.forget(cookies[i])) {
        waiting.addFirst(batch.get(i));
      }
    }
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
