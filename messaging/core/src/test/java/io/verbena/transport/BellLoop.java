// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A loop whose work is numbered items, posted by any thread, and whose bell is a park. */
final class BellLoop extends ProgressLoop {

  private final AtomicBoolean sleeping = new AtomicBoolean();
  private final AtomicReference<Thread> sleeper = new AtomicReference<>();
  private final AtomicLong posted = new AtomicLong();
  private final AtomicInteger inside = new AtomicInteger();
  private volatile long taken;

  /** How often a thread was in the role while another one was. */
  final AtomicInteger intruders = new AtomicInteger();

  /** How often the role's holder slept. */
  final AtomicInteger sleeps = new AtomicInteger();

  /** Thrown by the next round. */
  final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  /** Done in the next round. */
  volatile @Nullable Runnable inRound;

  /** Thrown by each announcement of sleep while it is set. */
  volatile @Nullable RuntimeException sleepless;

  /** Thrown by the look that follows the next announcement of sleep. */
  volatile @Nullable RuntimeException failureOfLastLook;

  /** The longest sleep after that look, in nanoseconds. */
  volatile long sleepAfterFailureNs;

  /** Sleeps last until somebody wakes the loop, however little time they were given. */
  volatile boolean sleepsUntilRung;

  /** For how long who posts may overlook that a sleep was announced. */
  volatile long overlookedNs;

  /** How long each sleep could have been. */
  final Queue<Long> sleepLimitsNs = new ConcurrentLinkedQueue<>();

  /** Done in the next sleep. */
  volatile @Nullable Runnable inSleep;

  BellLoop(long idleSpinNs) {
    this(new StillContext(idleSpinNs));
  }

  BellLoop(TransportContext context) {
    super(context);
  }

  /** Posts an item and wakes the loop if it said that it sleeps; returns the item's number. */
  long post() {
    long number = posted.incrementAndGet();
    if (sleeping.get()) { // volatile, after the post: pairs with announceSleep
      wake();
    }
    return number;
  }

  /** The number of the item that is posted next. */
  long next() {
    return posted.get() + 1;
  }

  /** Posts an item as one does who overlooks that the loop sleeps; returns the item's number. */
  long postUnaware() {
    return posted.incrementAndGet();
  }

  /** Whether the role's holder has said that it sleeps. */
  boolean isAsleep() {
    return sleeping.get();
  }

  /** Whether the item has been seen by a round. */
  boolean isTaken(long number) {
    return taken >= number;
  }

  @Override
  protected int round() {
    enter();
    try {
      RuntimeException toThrow = failure.getAndSet(null);
      if (toThrow != null) {
        throw toThrow;
      }
      Runnable todo = inRound;
      inRound = null;
      if (todo != null) {
        todo.run();
      }
      long now = posted.get();
      int fresh = (int) (now - taken);
      taken = now;
      return fresh;
    } finally {
      inside.decrementAndGet();
    }
  }

  private void enter() {
    if (inside.getAndIncrement() != 0) {
      intruders.incrementAndGet();
    }
  }

  @Override
  protected void announceSleep() {
    RuntimeException toThrow = sleepless;
    if (toThrow != null) {
      throw toThrow;
    }
    sleeper.set(Thread.currentThread());
    RuntimeException ofLook = failureOfLastLook;
    if (ofLook != null) {
      failure.set(ofLook);
    }
    sleeping.set(true); // volatile, before the last look: pairs with post
  }

  @Override
  protected long announcementOverlookedNs() {
    return overlookedNs;
  }

  @Override
  protected void sleep(long timeoutNs) {
    enter();
    sleeps.incrementAndGet();
    sleepLimitsNs.add(timeoutNs);
    Runnable todo = inSleep;
    inSleep = null;
    if (todo != null) {
      todo.run();
    }
    if (failureOfLastLook != null) {
      failureOfLastLook = null;
      sleepAfterFailureNs = timeoutNs;
    }
    long until = System.nanoTime() + timeoutNs;
    long left = timeoutNs;
    while (sleeping.get()
        && (left > 0 || sleepsUntilRung)
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, Math.max(left, 1_000_000));
      left = until - System.nanoTime();
    }
    inside.decrementAndGet();
  }

  @Override
  protected void withdrawSleep() {
    sleeping.set(false);
  }

  @Override
  public void wake() {
    if (sleeping.compareAndSet(true, false)) {
      LockSupport.unpark(sleeper.get());
    }
  }
}
