// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.util.function.BooleanSupplier;

/**
 * How a thread receives, in place of loops' own threads, while it waits for something. Of one
 * thread, for one wait.
 */
final class Help {

  /**
   * One in so many rounds is a round of all loops. The others are of that which found work last:
   * most likely that is the one again, and another one's may cost a system call for each link.
   */
  private static final int ALL_EVERY = 8;

  /** Rounds that found work from one look at the clock to the next. */
  private static final int CLOCK_EVERY = 32;

  private final BooleanSupplier done;
  private final long deadlineNs;
  private final IdleTime idle;
  private ProgressLoop favourite;
  private int rounds;
  private int roundsAtWork;

  /**
   * @param favourite the loop that finds work most likely
   * @param deadlineNs by {@link System#nanoTime}
   */
  Help(BooleanSupplier done, long deadlineNs, ProgressLoop favourite) {
    this.done = done;
    this.deadlineNs = deadlineNs;
    this.favourite = favourite;
    this.idle = new IdleTime(favourite.idleLooks());
  }

  /** The loop that found work last. */
  ProgressLoop favourite() {
    return favourite;
  }

  long leftNs() {
    return deadlineNs - System.nanoTime();
  }

  /**
   * Receives until nothing has come for as long as is worth spinning: the caller rests, and comes
   * back.
   *
   * @return false if there is no reason to come back: it is done, the time is over, the thread is
   *     interrupted, or the loops are stopped
   */
  boolean receivesUntilIdle(ProgressLoop[] loops) {
    idle.reset();
    while (!done.getAsBoolean() && !favourite.isStopped()) {
      if (findsWork(loops)) {
        if (isOverAtWork()) {
          return false;
        }
        idle.reset();
        continue;
      }
      favourite.pauseHelp(idle);
      if (idle.isLongerThan(favourite.spinNs())) {
        return leftNs() > 0 && !Thread.currentThread().isInterrupted();
      }
    }
    return false;
  }

  private boolean findsWork(ProgressLoop[] loops) {
    if (++rounds % ALL_EVERY != 0) {
      return favourite.tryRound() > 0;
    }
    boolean found = false;
    for (ProgressLoop loop : loops) {
      if (loop.tryRound() > 0) {
        favourite = loop;
        found = true;
      }
    }
    return found;
  }

  /** Others' traffic may never cease. */
  private boolean isOverAtWork() {
    return Thread.currentThread().isInterrupted()
        || (++roundsAtWork % CLOCK_EVERY == 0 && leftNs() <= 0);
  }
}
