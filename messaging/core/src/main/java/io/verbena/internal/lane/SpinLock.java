// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import io.verbena.transport.AsymmetricFence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock for a few dozen nanoseconds. Yields early: with more threads than cores the holder may be
 * off its core. Not fair; never held while waiting for anything. A thread that takes it twice gets
 * an exception, as user code may try to: a codec that sends while it writes.
 *
 * <p>A thread that takes it many times without another in between gets a {@link Bias}: from then on
 * it enters and leaves by plain stores. A locked instruction would wait until every store to the
 * lane before it has reached the cache, which was a quarter of the time of a small message. Another
 * thread that comes takes the bias away, at the price of one {@link AsymmetricFence#heavy}.
 */
public final class SpinLock {

  /** Turns without another thread in between until the bias; taking it away costs some 50 turns. */
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
   * One thread's right to enter without asking. A new one for each grant: a thread that was off its
   * core since before its bias ended can then write to nobody's but its own.
   */
  private static final class Bias {
    final long threadId;

    @SuppressWarnings("unused") // by INSIDE: 1 while its thread is, or tries to be, in the lock
    int inside;

    Bias(long threadId) {
      this.threadId = threadId;
    }
  }

  private final int biasAfterTurns;

  @SuppressWarnings("unused") // by HELD
  private int held;

  @SuppressWarnings("unused") // by BIAS; written by who holds HELD
  private @Nullable Bias bias;

  private @Nullable Bias entered; // by the lock's holder: not null if it is in by its bias
  private long lastThreadId; // by who holds HELD
  private long holderId; // by who holds HELD: its thread, if it is not in by its bias
  private int turns;

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

  /** Enters by the bias; false if it is another thread's or was taken away. */
  private boolean enter(Bias mine) {
    if (mine.threadId != Thread.currentThread().threadId()) {
      return false;
    }
    if ((int) INSIDE.getOpaque(mine) != 0) {
      throw heldAlready();
    }
    INSIDE.setOpaque(mine, 1);
    AsymmetricFence.light(); // pairs with heavy in revoke: we see it, or it sees us
    if (BIAS.getOpaque(this) == mine) {
      return true;
    }
    INSIDE.setRelease(mine, 0); // as in unlock: revoke may see this in place of the last turn's
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

  /** Whether this thread holds it: nobody else writes our id there, or enters by our bias. */
  private boolean isMine() {
    long self = Thread.currentThread().threadId();
    Bias in = entered; // our own is revoked only after we have left
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
      entered = mine; // whoever takes a turn next revokes it before anything else
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
