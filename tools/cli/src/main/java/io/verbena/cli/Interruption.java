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
  private volatile boolean isTold;

  private Interruption() {}

  /** From now on, until {@link #close}. */
  static Interruption watch() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /**
   * Whether the user wants an end. If so the command's thread has been interrupted already, so that
   * nothing of that is to come while it reports.
   */
  boolean isRequested() {
    if (!isEnding()) {
      return false;
    }
    while (!isTold) {
      Thread.onSpinWait(); // the hook's thread is starting
    }
    return true;
  }

  /**
   * Whether hooks run: children of the command may have been killed by theirs, and the command have
   * failed for it, before the hook here has run.
   */
  private static boolean isEnding() {
    Thread probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private void stop() {
    command.interrupt();
    isTold = true;
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
