// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.transport.ProgressLoop;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** One thread per node for what is due by time: request time-outs, links that did not come back. */
final class Clock {

  private static final System.Logger LOG = System.getLogger("io.verbena");
  private static final long BUSY_TICK_NS = 5_000_000;
  private static final long IDLE_TICK_NS = 250_000_000;

  private final LongSupplier openRequests;
  private final LongConsumer tick;
  private final Thread thread;
  private volatile boolean idle;
  private volatile boolean stopped;

  /**
   * @param openRequests how many requests wait: while there are any, ticks come often
   * @param tick what is done at each tick; gets the time by {@link System#nanoTime}
   */
  Clock(int nodeId, LongSupplier openRequests, LongConsumer tick) {
    this.openRequests = openRequests;
    this.tick = tick;
    this.thread =
        Thread.ofPlatform().daemon().name("verbena-" + nodeId + "-clock").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** A request was sent: its time-out must not be slept over. */
  void requestOpened() {
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    ProgressLoop.neverWait(); // futures that fail here run their callbacks here, which may send
    while (!stopped) {
      idle = openRequests.getAsLong() == 0;
      // Looked at again after saying so: a request opened before is seen, one after unparks us.
      boolean rest = idle && openRequests.getAsLong() == 0;
      LockSupport.parkNanos(this, rest ? IDLE_TICK_NS : BUSY_TICK_NS);
      if (!stopped) {
        tick();
      }
    }
  }

  private void tick() {
    try {
      tick.accept(System.nanoTime());
    } catch (RuntimeException | Error e) { // no time-out would be told any more
      LOG.log(System.Logger.Level.ERROR, "a tick of the clock failed; it goes on", e);
    }
  }
}
