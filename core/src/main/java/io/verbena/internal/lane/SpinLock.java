// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few dozen nanoseconds. Yields early: with more threads than cores the holder may be off
 * its core. Not reentrant, not fair; never held while waiting for anything.
 */
public final class SpinLock {

  private static final int SPINS_BEFORE_YIELD = 32;
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by HELD
  private int held;

  /** Takes the lock. */
  public void lock() {
    if (!HELD.compareAndSet(this, 0, 1)) {
      contend();
    }
  }

  /** Gives the lock back. Release: pairs with the CAS of the next holder. */
  public void unlock() {
    HELD.setRelease(this, 0);
  }

  private void contend() {
    int spins = 0;
    do {
      if (++spins < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        spins = 0;
        Thread.yield();
      }
    } while ((int) HELD.getOpaque(this) != 0 || !HELD.compareAndSet(this, 0, 1));
  }
}
