// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The loop that receives for one transport: rounds of work done by whichever thread holds the role.
 *
 * <p>The loop's own thread works as long as there is work, spins a little, then sleeps. A thread that
 * waits for a reply {@link #help helps}: it takes the role and does rounds itself, so that no hand-over
 * between threads lies on the way of the reply; the loop's thread keeps out of its way with short naps.
 */
public abstract class ProgressLoop {

  /** A loop thread that keeps out of the helpers' way looks again after this time. */
  private static final long NAP_NS = 50_000;

  /** The longest sleep, so that whatever was missed is found in the end. */
  private static final long MAX_SLEEP_NS = 200_000_000;

  /** The longest sleep while handlers' messages wait for room. */
  private static final long BACKLOG_SLEEP_NS = 500_000;

  private static final int ROUNDS_PER_CLOCK_READ = 32;

  private static final VarHandle ROLE;
  private static final ThreadLocal<Boolean> RECEIVING = ThreadLocal.withInitial(() -> false);

  static {
    try {
      ROLE = MethodHandles.lookup().findVarHandle(ProgressLoop.class, "role", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TransportContext context;
  private final long spinNs;
  private int role; // 1 while a thread does rounds; by ROLE only
  private volatile long helps;
  private volatile boolean asleep;
  private volatile boolean closed;
  private @Nullable Thread thread;

  /** Makes a loop; {@link #start} starts its thread. */
  protected ProgressLoop(TransportContext context) {
    this.context = context;
    this.spinNs = context.idleSpinNs();
  }

  /**
   * One pass over everything that may have work; never blocks.
   *
   * @return how much was done; 0 if there was nothing
   */
  protected abstract int round();

  /**
   * Announces to peers that the loop is about to sleep, so that they wake it. What arrives from here
   * on ends {@link #sleep}; the loop does one more round in between.
   */
  protected abstract void announceSleep();

  /** Sleeps until woken or the time is over. */
  protected abstract void sleep(long timeoutNs);

  /** Takes the announcement back. */
  protected abstract void withdrawSleep();

  /** Ends a {@link #sleep} that is going on or about to begin. */
  public abstract void wake();

  /** Starts the loop's thread. */
  public final synchronized void start(String name) {
    Thread started = new Thread(this::run, name);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /** Ends the loop's thread and waits for it, unless called by it. Idempotent. */
  public final synchronized void stop() {
    closed = true;
    Thread running = thread;
    if (running == null) {
      return;
    }
    LockSupport.unpark(running);
    wake();
    if (running != Thread.currentThread()) {
      joinUninterruptibly(running);
    }
  }

  /** Whether the calling thread does a round of any loop now: it must not wait for a peer. */
  public static boolean currentThreadReceives() {
    return RECEIVING.get();
  }

  /** Whether the loop has been stopped. */
  protected final boolean isStopped() {
    return closed;
  }

  /** Announces a wait for a reply: the loop's thread keeps away. Call once per wait. */
  public final void beginHelp() {
    helps++; // approximate on purpose: it only has to change
    if (asleep) {
      wake();
    }
  }

  /**
   * Does a round on the calling thread.
   *
   * @return what the round did, or -1 if another thread holds the role
   */
  public final int help() {
    return tryRound();
  }

  private int tryRound() {
    // Plain look first: a contended CAS would take the line from the holder.
    if ((int) ROLE.getOpaque(this) != 0 || !ROLE.compareAndSet(this, 0, 1)) {
      return -1;
    }
    RECEIVING.set(true);
    try {
      return round();
    } finally {
      RECEIVING.set(false);
      ROLE.setRelease(this, 0); // pairs with the CAS: the next holder sees what this round did
    }
  }

  private void run() {
    long seenHelps = helps;
    long idleSince = 0;
    int idleRounds = 0;
    while (!closed) {
      if (helps != seenHelps) {
        seenHelps = helps;
        LockSupport.parkNanos(this, NAP_NS);
        idleRounds = 0;
        continue;
      }
      int done = tryRound();
      if (done != 0) {
        idleRounds = 0;
        if (done < 0) {
          Thread.onSpinWait();
        }
        continue;
      }
      idleRounds++;
      Thread.onSpinWait();
      if (idleRounds == 1) {
        idleSince = System.nanoTime();
      } else if (idleRounds % ROUNDS_PER_CLOCK_READ == 0
          && System.nanoTime() - idleSince > spinNs) {
        rest();
        idleRounds = 0;
      }
    }
  }

  private void rest() {
    boolean backlog = context.moveBacklog() > 0;
    asleep = true;
    announceSleep();
    try {
      // After the announcement: what was published before it is found by this round.
      if (tryRound() == 0 && !closed) {
        sleep(backlog ? BACKLOG_SLEEP_NS : MAX_SLEEP_NS);
      }
    } finally {
      withdrawSleep();
      asleep = false;
    }
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
