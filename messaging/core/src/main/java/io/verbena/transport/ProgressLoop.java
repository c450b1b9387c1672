// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import io.verbena.internal.event.ParkEvent;
import io.verbena.internal.event.Words;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop that receives for one transport: rounds of work done by whichever thread holds the role.
 *
 * <p>The loop's own thread works as long as there is work, spins a little, yields, then sleeps. A
 * thread that waits for a reply {@link #helpUntil helps}: it takes the role and does rounds itself,
 * so that no hand-over between threads lies on the way of the reply; the loop's thread keeps out of
 * its way with short naps. Announcing, sleeping and withdrawing are done by the role's holder only.
 */
public abstract class ProgressLoop {

  /** The longest sleep; nothing relies on it but interrupted waits and cancelled requests. */
  static final long MAX_SLEEP_NS = 200_000_000;

  /** How long the end waits for a handler, which has had the node's grace before. */
  private static final long LAST_ROUND_NS = 1_000_000_000;

  /** The longest sleep while handlers' messages wait for room. */
  private static final long BACKLOG_SLEEP_NS = 500_000;

  /** What the loop's own thread waits for. */
  private static final BooleanSupplier NEVER = () -> false;

  private static final System.Logger LOG = System.getLogger("io.verbena");
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
  private final SpinTime spin;
  private final int idleLooks;
  private long restedNs; // in this rest, and how long it could have been; with the role
  private long restLimitNs;

  @SuppressWarnings("unused") // by ROLE: 1 while a thread holds the role
  private int role;

  private @Nullable Thread holder; // of the role, or the last that was
  private long rounds; // by the role's holder
  private final HoldUp holdUp = new HoldUp(); // of the clock's thread
  private volatile int helps; // changes with every wait that helps
  private volatile boolean loopSleeps;
  private long failures; // by the role's holder, and by the loop's thread
  private volatile boolean stopped;
  private boolean roleKept; // guarded by this
  private volatile @Nullable Thread thread;
  private final ProgressLoop[] alone = {this};

  /** Makes a loop; {@link #start} starts its thread. */
  protected ProgressLoop(TransportContext context) {
    this.context = context;
    this.spin = new SpinTime(context.idleSpinNs());
    this.idleLooks = context.idleLooks();
  }

  /**
   * One pass over everything that may have work; never blocks. Called by the role's holder.
   *
   * @return the bytes received, at least 1 if anything was done; 0 if there was nothing
   */
  protected abstract int round();

  /**
   * Announces to peers that the role's holder is about to sleep, so that they wake it. What arrives
   * from here on ends {@link #sleep}; one more round is done in between.
   */
  protected abstract void announceSleep();

  /**
   * How long after {@link #announceSleep} somebody may publish and not see that it was called. The
   * role's holder sleeps no longer than that, then does one more round and sleeps again. 0: nobody
   * overlooks it.
   */
  protected long announcementOverlookedNs() {
    return 0;
  }

  /**
   * Sleeps until woken or the time is over. Does not sleep if it was woken since {@link
   * #announceSleep}.
   */
  protected abstract void sleep(long timeoutNs);

  /** Takes the announcement back. */
  protected abstract void withdrawSleep();

  /** Ends a {@link #sleep} that is going on or about to begin. Any thread. */
  public abstract void wake();

  /** As {@link TransportContext#lookSoon}. */
  public final void lookSoon(BooleanSupplier look) {
    context.lookSoon(look);
  }

  /** Called once by the loop's thread before its first round. */
  protected void threadStarted() {}

  /** Starts the loop's thread. */
  public final synchronized void start(String name) {
    Thread started = new Thread(this::run, name);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /**
   * Ends the loop, and calls {@code afterwards} once its thread is gone and nobody has or gets the
   * role. That is so when this returns, unless a handler does not return: then a thread of its own
   * waits for that, however long it takes. A thread that receives does not wait.
   */
  public final void stop(Runnable afterwards) {
    if (tryStop()) {
      afterwards.run();
      return;
    }
    LOG.log(
        System.Logger.Level.WARNING,
        "node {0} is closed though one of its inline handlers still runs: it keeps what it uses"
            + " until it returns",
        String.valueOf(context.nodeId()));
    Thread.ofPlatform()
        .daemon()
        .name("verbena-" + context.nodeId() + "-late-end")
        .start(() -> stopAtLast(afterwards));
  }

  private void stopAtLast(Runnable afterwards) {
    boolean isOver = tryStop();
    while (!isOver) {
      isOver = tryStop();
    }
    afterwards.run();
  }

  private synchronized boolean tryStop() {
    stopped = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
    wake();
    if (currentThreadReceives()) {
      return true;
    }
    long untilNs = System.nanoTime() + LAST_ROUND_NS;
    return (running == null || joinUninterruptibly(running, untilNs)) && keepRole(untilNs);
  }

  /** Takes the role for good: a helper may have it, asleep or in a handler. */
  private boolean keepRole(long untilNs) {
    while (!roleKept) {
      roleKept = tryTakeRole();
      if (!roleKept) {
        if (System.nanoTime() - untilNs >= 0) {
          return false;
        }
        wake();
        Waiters.pause(this, NapTime.LEAST_NS);
      }
    }
    return true;
  }

  /**
   * Waits until no round is under way that began before this call: its handlers have returned, and
   * what they consumed is published. A thread that receives itself does not wait.
   *
   * @param untilNs by {@link System#nanoTime}
   * @return whether it is so; false if the time is over
   */
  public final boolean awaitRound(long untilNs) {
    if (currentThreadReceives()) {
      return false;
    }
    while (!tryTakeRole()) {
      if (stopped) {
        return true;
      }
      if (System.nanoTime() - untilNs >= 0) {
        return false;
      }
      helpGoesOn(); // the loop's own thread leaves the role to others for a moment
      wake(); // who sleeps has it, too
      Waiters.pause(this, NapTime.LEAST_NS);
    }
    ROLE.setRelease(this, 0); // as in tryRound
    helpEnds();
    return true;
  }

  /** Whether the calling thread must not wait for a peer: it receives now, for any loop. */
  public static boolean currentThreadReceives() {
    return RECEIVING.get();
  }

  /** Marks the calling thread, one of a node's own: it must not wait either, as if it received. */
  public static void neverWait() {
    RECEIVING.set(true);
  }

  /** The calling thread receives from here on, or does so no more. */
  static void receives(boolean now) {
    RECEIVING.set(now);
  }

  /**
   * Receives on the calling thread until {@code done}: spins, then sleeps in the role. Returns
   * early if another thread receives already, the thread is interrupted or the loop is stopped.
   *
   * @param deadlineNs by {@link System#nanoTime}
   */
  public final void helpUntil(BooleanSupplier done, long deadlineNs) {
    helpBegins();
    receives(true);
    try {
      Help help = new Help(done, deadlineNs, this);
      boolean hasRole = true;
      while (hasRole && help.receivesUntilIdle(alone)) {
        helpGoesOn();
        hasRole = tryRest(help.leftNs(), done, false) || isLoopLeaving();
      }
    } finally {
      receives(false);
      context.roleIsFree();
    }
  }

  /** A thread is about to receive here: the loop's own keeps away, and gives the role up. */
  final void helpBegins() {
    helpGoesOn();
    if (loopSleeps) {
      wake();
    }
  }

  /** As above, by a thread that has begun. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // lost updates do no harm: it only has to change
  final void helpGoesOn() {
    helps++;
  }

  /** The loop's own thread need not keep away any longer. */
  final void helpEnds() {
    LockSupport.unpark(thread);
  }

  final boolean isStopped() {
    return stopped;
  }

  /** Between two rounds of a thread that helps and found nothing. */
  final void pauseHelp(IdleTime idle) {
    if (loopSleeps || idle.yields()) {
      Thread.yield(); // the loop was woken to give the role up: perhaps to run on this core
    } else if (idle.pauses()) {
      Thread.onSpinWait();
    }
  }

  /**
   * Whether the loop's own thread has slept in the role and is about to give it up: it was woken
   * for that, and will keep away for a while. Who turned to sleep elsewhere would hear of its reply
   * only after that.
   */
  final boolean isLoopLeaving() {
    if (!loopSleeps) {
      return false;
    }
    wake();
    Thread.yield();
    return true;
  }

  /** Does a round if no other thread has the role; returns -1 if one has. */
  final int tryRound() {
    if (!tryTakeRole()) {
      return -1;
    }
    try {
      return roundAndBacklog();
    } finally {
      ROLE.setRelease(this, 0); // pairs with the CAS: the next holder sees what this round did
    }
  }

  private boolean tryTakeRole() {
    // An opaque look first: a failing CAS would take the line from the holder.
    boolean isTaken = (int) ROLE.getOpaque(this) == 0 && ROLE.compareAndSet(this, 0, 1);
    if (isTaken && holder != Thread.currentThread()) {
      holder = Thread.currentThread();
    }
    return isTaken;
  }

  /**
   * Names a handler in the log that holds up this loop for {@link HoldUp#LOOKS} calls of this. By
   * the node's clock, at each tick. It may look at what is just changing: the next look is right.
   */
  final void lookForHoldUp() {
    Thread holds = holder;
    if (holdUp.begins(isRoleTaken() && !stopped, rounds) && holds != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "node {0}: thread {1}, which receives, has been in one round for 5 s, as it is in a handler"
              + " that does not return: nothing else is received there meanwhile. docs/tuning.md says"
              + " where slow handlers run. The thread is at{2}",
          String.valueOf(context.nodeId()),
          holds.getName(),
          Words.stackOf(holds));
    }
  }

  final boolean isRoleTaken() {
    return (int) ROLE.getVolatile(this) != 0;
  }

  private int roundAndBacklog() {
    rounds++;
    try {
      int worked = round();
      context.moveBacklog();
      if (worked > 0) {
        context.received();
      }
      return worked;
    } catch (RuntimeException | Error e) { // the loop serves all peers: it outlives any failure
      report(e);
      context.received(); // what came before it
      return 0;
    }
  }

  /** By the role: tells of a failure, of many ever more seldom. */
  private void report(Throwable failure) {
    failures++;
    if (Long.bitCount(failures) == 1) {
      Words.log(
          LOG,
          System.Logger.Level.ERROR,
          "a receiving loop of node %d failed; it goes on; of many failures ever fewer are logged",
          context.nodeId(),
          failure);
    }
  }

  /**
   * Sleeps in the role unless {@code done}, which does not throw; returns false if another thread
   * has it.
   */
  final boolean tryRest(long maxNs, BooleanSupplier done, boolean isLoop) {
    if (!tryTakeRole()) {
      return false;
    }
    try {
      loopSleeps = isLoop;
      rest(maxNs, done);
    } catch (RuntimeException | Error e) { // as in a round
      report(e);
      // The next attempt may fail as well: without a pause it would take a core.
      LockSupport.parkNanos(this, NapTime.MOST_NS);
    } finally {
      loopSleeps = false;
      ROLE.setRelease(this, 0); // as in tryRound
    }
    return true;
  }

  /** How long whoever receives spins now before it sleeps. */
  final long spinNs() {
    return spin.ns();
  }

  final int idleLooks() {
    return idleLooks;
  }

  private void rest(long maxNs, BooleanSupplier done) {
    long overlookedNs = Math.min(announcementOverlookedNs(), maxNs);
    restedNs = 0;
    restLimitNs = 0;
    try {
      announceSleep();
      if (overlookedNs == 0 || lookThenSleep(overlookedNs, done)) {
        lookThenSleep(maxNs - overlookedNs, done);
      }
    } finally {
      withdrawSleep();
    }
    if (restLimitNs > 0) {
      spin.slept(restedNs, restLimitNs); // both parts are one sleep
    }
  }

  /**
   * Sleeps unless a round finds something, or what the caller waits for came with the former holder
   * of the role. Returns whether it slept.
   */
  private boolean lookThenSleep(long maxNs, BooleanSupplier done) {
    long failuresBefore = failures;
    // After the announcement: what was published before it is found by this round.
    if (roundAndBacklog() > 0 || stopped || done.getAsBoolean()) {
      return false;
    }
    long limitNs = Math.min(maxNs, longestSleepNs(failures != failuresBefore));
    ParkEvent event = ParkEvent.start();
    long sinceNs = System.nanoTime();
    sleep(limitNs);
    restedNs += System.nanoTime() - sinceNs;
    restLimitNs += limitNs;
    ParkEvent.finish(event, context.nodeId());
    return true;
  }

  /**
   * @param failed whether the look before the sleep has: something may still wait, unannounced
   */
  private long longestSleepNs(boolean failed) {
    if (failed) {
      return NapTime.MOST_NS;
    }
    return context.moveBacklog() > 0 ? BACKLOG_SLEEP_NS : MAX_SLEEP_NS;
  }

  private void run() {
    RECEIVING.set(true);
    threadStarted();
    while (!stopped) {
      try {
        receive();
      } catch (RuntimeException | Error e) { // beside a round, say for want of heap
        report(e);
        LockSupport.parkNanos(this, NapTime.MOST_NS); // the next attempt may fail as well
      }
    }
  }

  private void receive() {
    int seenHelps = helps;
    NapTime nap = new NapTime();
    IdleTime idle = new IdleTime(idleLooks());
    StreamPace pace = new StreamPace();
    while (!stopped) {
      int newHelps = helps - seenHelps;
      if (newHelps != 0) {
        seenHelps += newHelps;
        context.roleIsFree();
        nap(nap.afterHelps(newHelps));
        idle.reset();
        continue;
      }
      int worked = tryRound();
      if (worked > 0) {
        pace.worked(worked);
        idle.reset();
        nap.worked();
        continue;
      }
      if (worked < 0) {
        nap(nap.whileHelped());
        continue;
      }
      if (idle.yields()) {
        Thread.yield();
      } else {
        pause(pace.pausesWhenIdle());
      }
      if (idle.isLongerThan(spinNs())) {
        idle.reset();
        clearStrayInterrupt();
        context.roleIsFree(); // who waits beside receives better than this thread, if it does
        tryRest(MAX_SLEEP_NS, NEVER, true);
      }
    }
  }

  private void nap(long ns) {
    clearStrayInterrupt();
    LockSupport.parkNanos(this, ns);
  }

  /**
   * Called by a node's own threads before they sleep. Nobody interrupts these on purpose, but the
   * JVM does if an arena is closed while the thread accesses its memory, and a handler may have. An
   * interrupted thread can neither park nor select: it would take a core until the node's end.
   */
  public static void clearStrayInterrupt() {
    boolean unused = Thread.interrupted();
  }

  private static void pause(int pauses) {
    for (int i = 0; i < pauses; i++) {
      Thread.onSpinWait();
    }
  }

  private static boolean joinUninterruptibly(Thread thread, long untilNs) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return thread.join(Duration.ofNanos(Math.max(0, untilNs - System.nanoTime())));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
