// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C while a command runs: interrupts the command's thread, and holds the end of the process
 * until the command has reported what it has so far.
 */
final class Interruption implements AutoCloseable {

  /** For a table and a file; after that the process ends without. */
  private static final long PATIENCE_SECONDS = 10;

  private final Thread command = Thread.currentThread();
  private final CountDownLatch reported = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "interruption");
  private volatile boolean isRequested;

  private Interruption() {}

  /** From now on, until {@link #close}. */
  static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Whether the user wants an end. */
  boolean isRequested() {
    return isRequested;
  }

  private void stop() {
    isRequested = true;
    command.interrupt();
    try {
      if (!reported.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("verbena: no report within " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    reported.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the end has begun: the hook runs, and has been told
    }
  }
}
