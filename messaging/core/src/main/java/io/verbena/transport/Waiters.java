// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that sleep until something may have changed. */
public final class Waiters {

  private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

  /**
   * Sleeps until {@link #wakeAll}, the time is over or {@code done}; may return early. An interrupt
   * does not end it: the thread stays interrupted, and callers that care look at that.
   */
  public void await(BooleanSupplier done, long timeoutNs) {
    Thread me = Thread.currentThread();
    threads.add(me);
    try {
      sleep(this, done, timeoutNs);
    } finally {
      threads.remove(me);
    }
  }

  /** Sleeps for a time, perhaps a shorter one. An interrupt does not end it and is kept. */
  public static void pause(Object blocker, long ns) {
    sleep(blocker, () -> false, ns);
  }

  /** A thread that is interrupted cannot park: it would run in circles until what it waits for. */
  private static void sleep(Object blocker, BooleanSupplier done, long timeoutNs) {
    long untilNs = System.nanoTime() + timeoutNs;
    boolean interrupted = Thread.interrupted();
    try {
      // A change before this look is seen here, one after it wakes us.
      if (!done.getAsBoolean()) {
        LockSupport.parkNanos(blocker, timeoutNs);
        interrupted |= Thread.interrupted();
        if (interrupted && !done.getAsBoolean()) { // the interrupt may have ended that sleep
          LockSupport.parkNanos(blocker, untilNs - System.nanoTime());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Wakes every thread that sleeps here; call after the change. */
  public void wakeAll() {
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
  }
}
