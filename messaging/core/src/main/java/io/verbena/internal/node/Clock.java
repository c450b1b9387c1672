// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static io.verbena.transport.TransportContext.LOOK_SOON_NS;

import io.verbena.internal.connection.RequestTable;
import io.verbena.internal.event.Words;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.TransportContext;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One thread per node for what is due by time: requests, to the millisecond; what receiving threads
 * may have no time for, within a few of them; and all else, such as links that did not come back,
 * four times a second.
 */
final class Clock {

  private static final System.Logger LOG = System.getLogger("io.verbena");
  private static final long TICK_NS = 250_000_000;

  /** Requests that are due within this time of each other are looked for together. */
  private static final long GRAIN_NS = 1_000_000;

  private static final String FAILED = "the clock of node %d failed; it goes on";

  private final int nodeId;
  private final RequestTable requests;
  private final LongConsumer tick;
  private final Thread thread;
  private final Queue<BooleanSupplier> looks = new ConcurrentLinkedQueue<>();
  private volatile boolean looksSoon; // it sleeps no longer than LOOK_SOON_NS
  private long nextLookNs;
  private volatile boolean stopped;

  /**
   * @param tick what is done at each tick; gets the time by {@link System#nanoTime}
   */
  Clock(int nodeId, RequestTable requests, LongConsumer tick) {
    this.nodeId = nodeId;
    this.requests = requests;
    this.tick = tick;
    this.thread =
        Thread.ofPlatform().daemon().name("verbena-" + nodeId + "-clock").unstarted(this::run);
  }

  void start() {
    requests.whenDueEarlier(() -> LockSupport.unpark(thread));
    thread.start();
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  /** As {@link TransportContext#lookSoon}. */
  void lookSoon(BooleanSupplier look) {
    looks.add(look); // before the look whether it is found in time
    if (!looksSoon) {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    ProgressLoop.neverWait(); // futures that fail here run their callbacks here, which may send
    long nextTickNs = System.nanoTime();
    while (!stopped) {
      try {
        nextTickNs = round(nextTickNs);
        sleepUntilDue();
      } catch (RuntimeException | Error e) { // there was no heap even for beginning
        Words.log(LOG, System.Logger.Level.ERROR, FAILED, nodeId, e);
        LockSupport.parkNanos(this, GRAIN_NS); // the next attempt may fail as well
      }
    }
  }

  /** Returns when the next tick is due. */
  private long round(long tickNs) {
    long nowNs = System.nanoTime();
    long nextTickNs = tickNs;
    if (nowNs - tickNs >= 0) {
      nextTickNs = nowNs + TICK_NS;
      guard(() -> tick.accept(nowNs));
    }
    long horizonNs = nextTickNs;
    guard(() -> requests.timeOutDue(nowNs, horizonNs));
    if (looksSoon && nowNs - nextLookNs >= 0) {
      nextLookNs = nowNs + LOOK_SOON_NS;
      lookAtAll();
    }
    return nextTickNs;
  }

  private void lookAtAll() {
    looks.removeIf(this::isOver);
  }

  private boolean isOver(BooleanSupplier look) {
    try {
      return !look.getAsBoolean();
    } catch (RuntimeException | Error e) {
      Words.log(LOG, System.Logger.Level.ERROR, FAILED, nodeId, e);
      return true;
    }
  }

  /** Sleeps until a request is due; one that is opened meanwhile may have this end earlier. */
  private void sleepUntilDue() {
    long leftNs = leftNs();
    while (leftNs > 0 && !stopped) {
      ProgressLoop.clearStrayInterrupt();
      LockSupport.parkNanos(this, leftNs);
      leftNs = leftNs();
    }
  }

  private long leftNs() {
    long nowNs = System.nanoTime();
    long leftNs = requests.nextDueNs() + GRAIN_NS - nowNs;
    return hasLooks(nowNs) ? Math.min(leftNs, nextLookNs - nowNs) : leftNs;
  }

  private boolean hasLooks(long nowNs) {
    boolean had = looksSoon;
    looksSoon = false; // before looking: who adds one from here on wakes the thread
    if (looks.isEmpty()) {
      return false;
    }
    if (!had) {
      nextLookNs = nowNs + LOOK_SOON_NS;
    }
    looksSoon = true;
    return true;
  }

  private void guard(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) { // no time-out would be told any more
      Words.log(LOG, System.Logger.Level.ERROR, FAILED, nodeId, e);
    }
  }
}
