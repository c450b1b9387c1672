// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps native memory alive while somebody is in there: who closes waits until all have left, who
 * comes later is turned away.
 */
public final class Gate {

  private static final int CLOSED = 1 << 30;

  /**
   * Most calls from inside are over within microseconds; taking back what a peer may write waits
   * for it, for a second if the peer stands still.
   */
  private static final int SPINS = 1_000;

  private static final long NAP_NS = 50_000;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by STATE: how many are inside, and CLOSED
  private int state;

  /** Goes in; false if the gate is closed. Whoever got in leaves. */
  public boolean enter() {
    if (((int) STATE.getAndAdd(this, 1) & CLOSED) == 0) {
      return true;
    }
    leave();
    return false;
  }

  /** Goes out again. */
  public void leave() {
    STATE.getAndAdd(this, -1);
  }

  /** Whether nobody gets in any more. */
  public boolean isClosed() {
    return ((int) STATE.getVolatile(this) & CLOSED) != 0;
  }

  /**
   * Lets nobody in any more and waits until nobody is in. Returns false if that was done before.
   */
  public boolean close() {
    boolean first = shut();
    if (first) {
      awaitEmpty();
    }
    return first;
  }

  /** Lets nobody in any more. Returns false if that was done before. */
  public boolean shut() {
    return ((int) STATE.getAndBitwiseOr(this, CLOSED) & CLOSED) == 0;
  }

  /** Waits until nobody is in, once the gate is {@linkplain #shut shut}. */
  public void awaitEmpty() {
    for (int looks = 0; (int) STATE.getVolatile(this) != CLOSED; looks++) {
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        nap();
      }
    }
  }

  /** A thread that is interrupted cannot park: it stays interrupted, but not meanwhile. */
  private void nap() {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(this, NAP_NS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
