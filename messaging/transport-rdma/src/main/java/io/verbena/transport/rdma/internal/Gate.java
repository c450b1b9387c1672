// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import io.verbena.transport.Waiters;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps native memory alive while somebody is in there: who closes waits until all have left, who
 * comes later is turned away.
 */
final class Gate {

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
  boolean enter() {
    if (((int) STATE.getAndAdd(this, 1) & CLOSED) == 0) {
      return true;
    }
    leave();
    return false;
  }

  void leave() {
    STATE.getAndAdd(this, -1);
  }

  boolean isClosed() {
    return ((int) STATE.getVolatile(this) & CLOSED) != 0;
  }

  /**
   * Lets nobody in any more and waits until nobody is in. Returns false if that was done before.
   */
  boolean close() {
    if (((int) STATE.getAndBitwiseOr(this, CLOSED) & CLOSED) != 0) {
      return false;
    }
    for (int looks = 0; (int) STATE.getVolatile(this) != CLOSED; looks++) {
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        Waiters.pause(this, NAP_NS);
      }
    }
    return true;
  }
}
