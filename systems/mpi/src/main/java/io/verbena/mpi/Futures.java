// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Requests as futures: a virtual thread waits for each that is not done at once, and does not
 * receive meanwhile; the node's own threads do, or who waits in a call.
 */
final class Futures {

  private Futures() {}

  /**
   * The outcome of a request.
   *
   * @param result what it is once the request is done, and went well
   */
  static <T> CompletableFuture<T> of(
      Communicator communicator, Request request, Supplier<T> result) {
    CompletableFuture<T> future = new CompletableFuture<>();
    if (request.isDone()) {
      complete(future, communicator, request, result);
    } else {
      Thread.ofVirtual()
          .name("future")
          .start(() -> complete(future, communicator, request, result));
    }
    return future;
  }

  private static <T> void complete(
      CompletableFuture<T> future, Communicator of, Request request, Supplier<T> result) {
    try {
      of.await(request);
      future.complete(result.get());
    } catch (InterruptedException | RuntimeException e) {
      future.completeExceptionally(e);
    }
  }
}
