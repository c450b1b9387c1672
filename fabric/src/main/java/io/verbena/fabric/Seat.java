// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Of one thread at a time: who comes while another thread is in is refused, and who closes waits
 * until nobody is in. It costs one atomic instruction for each turn, which is why it is no {@link
 * io.verbena.natives.Gate}.
 */
final class Seat {

  private static final int SPINS = 1_000;
  private static final long NAP_NS = 50_000;
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(Seat.class, "taken", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;

  @SuppressWarnings("unused") // by TAKEN
  private boolean taken;

  private volatile boolean closed;

  /**
   * Free.
   *
   * @param name what there is one seat at, for people
   */
  Seat(String name) {
    this.name = name;
  }

  /**
   * Until {@link #leave}.
   *
   * @throws ClosedException if it is closed
   * @throws IllegalStateException if another thread has it
   */
  void take() {
    // Volatile, like close(): either that one finds it taken, or this one sees that it is closed.
    if (!TAKEN.compareAndSet(this, false, true)) {
      throw refusal();
    }
    if (closed) {
      leave();
      throw refusal();
    }
  }

  private RuntimeException refusal() {
    return closed
        ? new ClosedException(name + " is closed")
        : new IllegalStateException(
            name + " is in use by another thread: it is of one thread at a time");
  }

  void leave() {
    TAKEN.setRelease(this, false);
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * By who has it, now and then in a long call.
   *
   * @throws ClosedException if somebody waits to close it
   */
  void checkOpen() {
    if (closed) {
      throw refusal();
    }
  }

  /** Takes it for good. Not by who has it. */
  void close() {
    closed = true;
    for (int looks = 0; !TAKEN.compareAndSet(this, false, true); looks++) {
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        nap(NAP_NS);
      }
    }
  }

  /** After {@link #close}: it is free again. */
  void reopen() {
    closed = false;
    leave();
  }

  /** A thread that is interrupted cannot park: it stays interrupted, but not meanwhile. */
  static void nap(long ns) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(ns);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
