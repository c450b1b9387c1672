// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.Errands;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs what an interrupt must not break. Java closes a file or a blocking socket in whose call a
 * thread is interrupted, or that an interrupted thread uses; nodes and links live longer than the
 * interest of the user's thread that happens to work for them. So the work is done by a thread of
 * its own, which nobody can interrupt, and the caller waits for it. For what is rare.
 */
final class Uninterrupted {

  /** Work on a file or a socket. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /** Runs it and returns or throws what it does; the caller stays interrupted if it was or gets. */
  static <T> T call(Work<T> work) throws IOException {
    CompletableFuture<T> done = new CompletableFuture<>();
    Errands.run("verbena-shm-uninterrupted", () -> run(work, done));
    try {
      return done.join(); // ignores interrupts but for the flag
    } catch (CompletionException e) {
      throw failure(e.getCause());
    }
  }

  private static <T> void run(Work<T> work, CompletableFuture<T> done) {
    try {
      done.complete(work.run());
    } catch (Throwable e) {
      done.completeExceptionally(e);
    }
  }

  private static IOException failure(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException failure -> failure;
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      case null, default -> new IOException(cause);
    };
  }
}
