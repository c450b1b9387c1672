// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An operation whose end is told by a future.
 *
 * @param what its name, for people
 * @param filling adds it to operations that are posted, under a cookie
 * @param result what the future is to bring once it was executed
 * @param after runs when it has ended, whatever way, before the future is completed
 */
record Promise<T>(
    String what, Filling filling, Supplier<T> result, Runnable after, CompletableFuture<T> future) {

  /** Adds an operation. */
  @FunctionalInterface
  interface Filling {
    void fill(OperationArray array, long cookie);
  }

  /** The same, and it begins only when every get and atomic of its link before it is done. */
  Promise<T> fenced() {
    Filling fenced =
        (array, cookie) -> {
          filling.fill(array, cookie);
          array.addFlag(OperationArray.FENCE);
        };
    return new Promise<>(what, fenced, result, after, future);
  }

  void fulfil() {
    T value;
    try {
      value = result.get();
    } catch (IllegalStateException e) { // the memory went between the end and now
      fail(new ClosedException(what + ": its memory was closed"));
      return;
    }
    after.run();
    future.complete(value);
  }

  void fail(Throwable why) {
    after.run();
    future.completeExceptionally(why);
  }
}
