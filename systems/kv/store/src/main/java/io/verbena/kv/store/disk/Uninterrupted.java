// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls on threads that nobody interrupts; callers wait, and keep their interrupts. */
final class Uninterrupted {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("verbena-kv-disk-", 0).factory());

  private Uninterrupted() {}

  interface Call {
    void run() throws IOException;
  }

  static void run(Call call) throws IOException {
    Future<?> done =
        THREADS.submit(
            () -> {
              call.run();
              return null;
            });
    boolean interrupted = false;
    try {
      while (true) {
        try {
          done.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
