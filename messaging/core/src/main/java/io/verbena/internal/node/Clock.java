// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.RequestTable;
import io.verbena.transport.ProgressLoop;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * One thread per node for what is due by time: requests, to the millisecond, and all else, such as
 * links that did not come back, four times a second.
 */
final class Clock {

  private static final System.Logger LOG = System.getLogger("io.verbena");
  private static final long TICK_NS = 250_000_000;

  /** Requests that are due within this time of each other are looked for together. */
  private static final long GRAIN_NS = 1_000_000;

  private final RequestTable requests;
  private final LongConsumer tick;
  private final Thread thread;
  private volatile boolean stopped;

  /**
   * @param tick what is done at each tick; gets the time by {@link System#nanoTime}
   */
  Clock(int nodeId, RequestTable requests, LongConsumer tick) {
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

  private void run() {
    ProgressLoop.neverWait(); // futures that fail here run their callbacks here, which may send
    long nextTickNs = System.nanoTime();
    while (!stopped) {
      long nowNs = System.nanoTime();
      if (nowNs - nextTickNs >= 0) {
        nextTickNs = nowNs + TICK_NS;
        guard(() -> tick.accept(nowNs));
      }
      long horizonNs = nextTickNs;
      guard(() -> requests.timeOutDue(nowNs, horizonNs));
      sleepUntilDue();
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
    return requests.nextDueNs() + GRAIN_NS - System.nanoTime();
  }

  private static void guard(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) { // no time-out would be told any more
      LOG.log(System.Logger.Level.ERROR, "the clock of a node failed; it goes on", e);
    }
  }
}
