// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What nodes do now and then, and wait in: dialling, handshakes, farewells. It runs on threads of
 * the platform, so that a program's virtual threads that compute do not keep its nodes from their
 * peers. All nodes of a process share them; there are at most {@value #MOST_THREADS}, and each ends
 * when it was idle for {@value #IDLE_SECONDS} seconds. What comes beyond these runs on virtual
 * threads.
 */
public final class Errands {

  /** How many threads of the platform there are at most. */
  public static final int MOST_THREADS = 256;

  private static final int IDLE_SECONDS = 2;

  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0,
          MOST_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> ownThread("verbena-errand", task));

  private static final ScheduledThreadPoolExecutor ALARM =
      new ScheduledThreadPoolExecutor(1, task -> ownThread("verbena-alarm", task));

  static {
    ALARM.setRemoveOnCancelPolicy(true);
    ALARM.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    ALARM.allowCoreThreadTimeOut(true);
  }

  private Errands() {}

  /**
   * A daemon that is not started, for what a node does all the time. Like all of them it keeps
   * nothing of the thread that makes it: no class loader of an application, no inherited values.
   */
  public static Thread ownThread(String name, Runnable task) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .inheritInheritableThreadLocals(false)
            .unstarted(task);
    thread.setContextClassLoader(null);
    return thread;
  }

  /** Runs an errand soon, on a thread that has its name meanwhile. It may wait. */
  public static void run(String name, Runnable errand) {
    try {
      THREADS.execute(() -> runNamed(name, errand));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // all are out, or no more can start
      Thread.ofVirtual().name(name).start(errand);
    }
  }

  private static void runNamed(String name, Runnable errand) {
    Thread.currentThread().setName(name);
    try {
      errand.run();
    } finally {
      Thread.currentThread().setName("verbena-errand");
    }
  }

  /**
   * Runs an errand that does not wait, when a time is over.
   *
   * @return what cancels it
   */
  public static Future<?> later(Duration time, Runnable errand) {
    return ALARM.schedule(errand, time.toNanos(), TimeUnit.NANOSECONDS);
  }
}
