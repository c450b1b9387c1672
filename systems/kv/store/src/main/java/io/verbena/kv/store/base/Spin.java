// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.base;

import java.util.concurrent.locks.ReentrantLock;

/** Locks that are held for less time than a thread takes to fall asleep and to wake up. */
public final class Spin {
  private static final int TRIES = Runtime.getRuntime().availableProcessors() > 1 ? 1000 : 0;

  private Spin() {}

  /** Takes a lock; tries for some microseconds before it sleeps. */
  public static void lock(ReentrantLock lock) {
    for (int i = 0; i < TRIES; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }
}
