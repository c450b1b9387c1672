// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import io.verbena.transport.AsymmetricFence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held for a few dozen nanoseconds, and never while its holder waits for anything. A
 * thread that waits for it yields early, because with more threads than cores the holder may be off
 * its core. The lock is not fair. A thread that takes it twice gets an exception: that happens when
 * a user's codec sends while it writes.
 *
 * <p>A thread that takes it many times without another in between gets a {@link Bias}. From then on
 * it enters and leaves by plain stores. A locked instruction would wait until all earlier stores to
 * the lane have reached the cache, which was a quarter of the time of a small message. The next
 * other thread takes the bias away, at the price of one {@link AsymmetricFence#heavy}.
 */
public final class SpinLock {

  /** So many turns of one thread in a row earn it the bias; revoking that costs some 50 turns. */
  private static final int BIAS_AFTER_TURNS = 4096;

  private static final int SPINS_BEFORE_YIELD = 32;
  private static final VarHandle HELD;
  private static final VarHandle BIAS;
  private static final VarHandle INSIDE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HELD = lookup.findVarHandle(SpinLock.class, "held", int.class);
      BIAS = lookup.findVarHandle(SpinLock.class, "bias", Bias.class);
      INSIDE = lookup.findVarHandle(Bias.class, "inside", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * One thread's right to enter without a compare-and-swap. Each grant is a new object: a thread
   * that was off its core when its bias was revoked still writes to its own grant alone.
   */
  private static final class Bias {
    final long threadId;

    @SuppressWarnings("unused") // accessed by INSIDE: 1 while its thread is in the lock or enters
    int inside;

    Bias(long threadId) {
      this.threadId = threadId;
    }
  }

  private final int biasAfterTurns;

  @SuppressWarnings("unused") // accessed by HELD: 1 while a thread has taken a turn
  private int held;

  @SuppressWarnings("unused") // accessed by BIAS; writes are guarded by HELD
  private @Nullable Bias bias;

  private @Nullable Bias entered; // written by the lock's holder: its bias if it entered by that
  private long lastThreadId; // guarded by HELD
  private long holderId; // guarded by HELD: the thread that holds it; 0: none
  private int turns; // guarded by HELD: turns of lastThreadId in a row

  /** Makes a free lock. */
  public SpinLock() {
    this(BIAS_AFTER_TURNS);
  }

  /** Makes a free lock that is biased sooner or later than others, for tests. */
  public SpinLock(int biasAfterTurns) {
    this.biasAfterTurns = AsymmetricFence.isAvailable() ? biasAfterTurns : Integer.MAX_VALUE;
  }

  /**
   * Takes the lock.
   *
   * @throws IllegalStateException if the thread holds it already
   */
  public void lock() {
    Bias mine = (Bias) BIAS.getOpaque(this);
    if (mine == null || !enter(mine)) {
      takeTurn();
    }
  }

  /** Gives the lock back. */
  public void unlock() {
    Bias mine = entered;
    if (mine != null) {
      INSIDE.setRelease(mine, 0); // pairs with the acquire in revoke
    } else {
      countTurn();
      holderId = 0;
      HELD.setRelease(this, 0); // pairs with the CAS of the next holder
    }
  }

  /** Enters by the bias; false if the bias is another thread's or was taken away. */
  private boolean enter(Bias mine) {
    if (mine.threadId != Thread.currentThread().threadId()) {
      return false;
    }
    if ((int) INSIDE.getOpaque(mine) != 0) {
      throw heldAlready();
    }
    INSIDE.setOpaque(mine, 1);
    AsymmetricFence.light(); // pairs with heavy in revoke: one of the two sees the other's store
    if (BIAS.getOpaque(this) == mine) {
      return true;
    }
    INSIDE.setRelease(mine, 0); // as in unlock: the acquire in revoke may read this store
    return false;
  }

  private void takeTurn() {
    if (!HELD.compareAndSet(this, 0, 1)) {
      contend();
    }
    holderId = Thread.currentThread().threadId();
    if (bias != null) {
      revoke(bias);
    }
  }

  private void contend() {
    if (isMine()) {
      throw heldAlready();
    }
    int spins = 0;
    do {
      spins = pause(spins);
    } while ((int) HELD.getOpaque(this) != 0 || !HELD.compareAndSet(this, 0, 1));
  }

  /** Whether this thread holds the lock: only it writes its id, or enters by its own bias. */
  public boolean isMine() {
    long self = Thread.currentThread().threadId();
    Bias in = entered; // a thread's own bias is revoked only after it has left
    return holderId == self
        || (in != null && in.threadId == self && (int) INSIDE.getOpaque(in) != 0);
  }

  private void revoke(Bias others) {
    BIAS.setOpaque(this, null);
    AsymmetricFence.heavy(); // pairs with light in enter
    int spins = 0;
    while ((int) INSIDE.getAcquire(others) != 0) { // pairs with the release in unlock
      spins = pause(spins);
    }
    entered = null;
    turns = 0;
  }

  private void countTurn() {
    long self = Thread.currentThread().threadId();
    if (lastThreadId != self) {
      lastThreadId = self;
      turns = 0;
    } else if (++turns == biasAfterTurns) {
      Bias mine = new Bias(self);
      entered = mine; // the next thread to take a turn revokes it first
      BIAS.setRelease(this, mine);
    }
  }

  private static IllegalStateException heldAlready() {
    return new IllegalStateException(
        "this thread is writing to the lane already; a codec must not send while it writes");
  }

  private static int pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
      return spins + 1;
    }
    Thread.yield();
    return 0;
  }
}
