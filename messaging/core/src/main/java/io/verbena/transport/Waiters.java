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
    // A thread that is interrupted cannot park: it would run in circles until what it waits for.
    boolean interrupted = Thread.interrupted();
    long untilNs = System.nanoTime() + timeoutNs;
    threads.add(me);
    try {
      // Looked at after joining the queue: a change before that is seen here, one after it wakes
      // us.
      if (!done.getAsBoolean()) {
        LockSupport.parkNanos(this, timeoutNs);
        interrupted |= Thread.interrupted();
        if (interrupted && !done.getAsBoolean()) { // the interrupt may have ended that sleep
          LockSupport.parkNanos(this, untilNs - System.nanoTime());
        }
      }
    } finally {
      threads.remove(me);
      if (interrupted) {
        me.interrupt();
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
