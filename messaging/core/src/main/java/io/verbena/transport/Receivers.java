// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a program that receive for its node while they wait for something, over all loops
 * in use.
 *
 * <p>One of them has a loop's role and does what there is to do, for all. The others sleep beside
 * it. Who receives looks for them whether what they wait for is there, and wakes those for whom it
 * is; who leaves wakes one that takes its place. A thread sleeps in the role of one loop alone: the
 * others are left to their own threads meanwhile, which look and wake as well.
 */
public final class Receivers {

  /** Who waits looks for itself after this time, whoever should have told it. */
  private static final long LOOK_AGAIN_NS = ProgressLoop.MAX_SLEEP_NS;

  private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 2; // deadlines are compared by sign

  private static final VarHandle WAS_TRUE;

  static {
    try {
      WAS_TRUE = MethodHandles.lookup().findVarHandle(Lasting.class, "wasTrue", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final List<Sleeper> sleepers = new CopyOnWriteArrayList<>();
  private volatile ProgressLoop[] loops = {};
  private @Nullable ProgressLoop lastFavourite; // a hint: any of the last ones will do
  private final long lookAgainNs;
  private volatile boolean closed;

  /** Nobody waits yet. */
  public Receivers() {
    this(LOOK_AGAIN_NS);
  }

  /**
   * @param lookAgainNs how long a thread sleeps beside at most that nobody wakes
   */
  Receivers(long lookAgainNs) {
    this.lookAgainNs = lookAgainNs;
  }

  /** By the node's clock, at each tick: names handlers that hold up a loop for long. */
  public void lookForHoldUps() {
    for (ProgressLoop loop : loops) {
      loop.lookForHoldUp();
    }
  }

  /** A condition that stays true once any thread has seen it so: others may undo it at once. */
  private static final class Lasting implements BooleanSupplier {
    private final BooleanSupplier done;

    @SuppressWarnings("unused") // by WAS_TRUE
    private boolean wasTrue;

    Lasting(BooleanSupplier done) {
      this.done = done;
    }

    @Override
    public boolean getAsBoolean() {
      if ((boolean) WAS_TRUE.getAcquire(this)) {
        return true;
      }
      boolean isTrue = done.getAsBoolean();
      if (isTrue) {
        // Another thread that has seen it wakes the one that waits, which orders the two.
        WAS_TRUE.setRelease(this, true);
      }
      return isTrue;
    }
  }

  /** A thread that sleeps, in a role or beside it. */
  private final class Sleeper {
    private final Thread thread = Thread.currentThread();
    private final BooleanSupplier done;

    /** The one whose role the thread asks for; null if there is none, or it never receives. */
    private final @Nullable ProgressLoop loop;

    /** It sleeps beside whoever has the role; else it has that, or is about to ask for it. */
    private volatile boolean isBeside;

    Sleeper(BooleanSupplier done, @Nullable ProgressLoop loop) {
      this.done = done;
      this.loop = loop;
      this.isBeside = loop == null;
    }

    /**
     * Whether there is nothing to sleep for. By any thread. A condition that throws is one to wake
     * for: its own thread shall have that.
     */
    boolean isDone() {
      try {
        return closed || done.getAsBoolean();
      } catch (RuntimeException | Error e) {
        return true;
      }
    }

    /** Not where another thread has the role: that one passes it on in its turn. */
    boolean couldReceive() {
      return isBeside && !thread.isVirtual() && (loop == null || !loop.isRoleTaken());
    }

    /** Both ways: it may not get the role, and sleeps beside it in the next moment. */
    void wake() {
      if (loop != null && !isBeside) {
        loop.wake();
      }
      LockSupport.unpark(thread);
    }
  }

  /** A loop is in use from here on. */
  public void use(ProgressLoop loop) {
    if (addIfNew(loop)) {
      wakeSuccessor();
    }
  }

  private synchronized boolean addIfNew(ProgressLoop loop) {
    ProgressLoop[] now = loops;
    if (Arrays.asList(now).contains(loop)) {
      return false;
    }
    ProgressLoop[] more = Arrays.copyOf(now, now.length + 1);
    more[now.length] = loop;
    loops = more;
    return true;
  }

  /**
   * Waits until no round of any loop is under way that began before this call.
   *
   * @param untilNs by {@link System#nanoTime}
   * @return whether it is so; false if the time is over
   */
  public boolean awaitRounds(long untilNs) {
    boolean areOver = true;
    for (ProgressLoop loop : loops) {
      areOver &= loop.awaitRound(untilNs);
    }
    return areOver;
  }

  // ---------------------------------------------------------------- waiting

  /**
   * Receives on the calling thread until {@code done}; a virtual thread only waits. What is there
   * already is received even if there is no time.
   *
   * @return whether it is done; false if the time is over or the node is closed
   * @throws InterruptedException if the thread is interrupted before it is done
   */
  public boolean receiveUntil(BooleanSupplier done, long timeoutNs) throws InterruptedException {
    ProgressLoop.receives(true); // before the first look: a condition that receives is refused
    try {
      return done.getAsBoolean() || receiveFor(new Lasting(done), timeoutNs);
    } finally {
      ProgressLoop.receives(false);
    }
  }

  private boolean receiveFor(BooleanSupplier done, long timeoutNs) throws InterruptedException {
    try {
      if (!Thread.currentThread().isVirtual()) {
        receiveWhatIsHere();
      }
      if (timeoutNs > 0 && !done.getAsBoolean()) {
        waitFor(done, System.nanoTime() + Math.min(timeoutNs, MAX_TIMEOUT_NS));
      }
      return outcome(done);
    } finally {
      passOn();
    }
  }

  private static boolean outcome(BooleanSupplier done) throws InterruptedException {
    if (done.getAsBoolean()) {
      return true;
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted while waiting for what is received");
    }
    return false;
  }

  private void receiveWhatIsHere() {
    for (ProgressLoop loop : loops) {
      if (loop.tryRound() > 0) {
        lastFavourite = loop;
      }
    }
  }

  private void waitFor(BooleanSupplier done, long deadlineNs) {
    while (!isOver(done, deadlineNs)) {
      ProgressLoop[] all = loops;
      if (all.length == 0 || Thread.currentThread().isVirtual()) {
        sleepBeside(done, deadlineNs);
      } else {
        receive(all, done, deadlineNs);
      }
    }
  }

  private boolean isOver(BooleanSupplier done, long deadlineNs) {
    return done.getAsBoolean()
        || closed
        || Thread.currentThread().isInterrupted()
        || deadlineNs - System.nanoTime() <= 0;
  }

  /** Until it is over, another loop is in use, or others have the role. */
  private void receive(ProgressLoop[] all, BooleanSupplier done, long deadlineNs) {
    ProgressLoop last = lastFavourite;
    Help help = new Help(done, deadlineNs, last == null ? all[0] : last);
    for (ProgressLoop loop : all) {
      loop.helpBegins();
    }
    boolean hasRole = true;
    while (hasRole && help.receivesUntilIdle(all) && all == loops && !closed) {
      hasRole = rests(help, all, done);
    }
    lastFavourite = help.favourite();
  }

  /** Sleeps in the role of the favourite loop; beside who has it, and false, if that is taken. */
  private boolean rests(Help help, ProgressLoop[] all, BooleanSupplier done) {
    ProgressLoop in = help.favourite();
    leaveOthers(all, in);
    Sleeper sleeper = new Sleeper(done, in);
    beginSleep(sleeper);
    try {
      in.helpGoesOn();
      if (in.tryRest(help.leftNs(), sleeper::isDone, false) || in.isLoopLeaving()) {
        return true;
      }
      sleeper.isBeside = true;
      AsymmetricFence.heavy(); // as in beginSleep: who gave the role back meanwhile passed it by
      if (in.isRoleTaken()) {
        park(sleeper, help.leftNs());
      }
      return false;
    } finally {
      sleepers.remove(sleeper);
    }
  }

  /** Their own threads are to receive there at once. */
  private static void leaveOthers(ProgressLoop[] all, ProgressLoop but) {
    for (ProgressLoop loop : all) {
      if (loop != but) {
        loop.helpEnds();
      }
    }
  }

  private void sleepBeside(BooleanSupplier done, long deadlineNs) {
    Sleeper sleeper = new Sleeper(done, null);
    beginSleep(sleeper);
    try {
      park(sleeper, deadlineNs - System.nanoTime());
    } finally {
      sleepers.remove(sleeper);
    }
  }

  private void beginSleep(Sleeper sleeper) {
    sleepers.add(sleeper);
    // Pairs with light in changed and passOn: the sleeper sees what was changed, or whose role was
    // given back, before its last look, or is seen and woken.
    AsymmetricFence.heavy();
  }

  private void park(Sleeper sleeper, long leftNs) {
    if (!sleeper.isDone()) {
      LockSupport.parkNanos(this, Math.min(leftNs, lookAgainNs));
    }
  }

  // ---------------------------------------------------------------- waking

  /**
   * Something has happened that others may wait for. Called after each round that found work, so it
   * must be cheap.
   */
  public void changed() {
    AsymmetricFence.light(); // pairs with heavy in beginSleep
    if (!sleepers.isEmpty()) {
      wakeThoseDone();
    }
  }

  private void wakeThoseDone() {
    for (Sleeper sleeper : sleepers) {
      if (sleeper.isDone()) {
        sleeper.wake();
      }
    }
  }

  /** The calling thread receives no more, for a while at least: another one takes its place. */
  public void passOn() {
    AsymmetricFence.light(); // pairs with heavy in beginSleep
    if (!sleepers.isEmpty()) {
      wakeSuccessor();
    }
  }

  private void wakeSuccessor() {
    for (Sleeper sleeper : sleepers) {
      if (sleeper.couldReceive()) {
        sleeper.wake();
        return;
      }
    }
  }

  /** The node is closed: nobody waits any more. */
  public void close() {
    closed = true;
    sleepers.forEach(Sleeper::wake);
  }
}
