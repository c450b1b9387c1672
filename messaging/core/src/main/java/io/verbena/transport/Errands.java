// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import io.verbena.internal.event.Words;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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
  private static final String IDLE = "verbena-errand";

  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0,
          MOST_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> sharedThread(IDLE, task));

  private static final ScheduledThreadPoolExecutor ALARM =
      new ScheduledThreadPoolExecutor(1, task -> sharedThread("verbena-alarm", task));

  static {
    ALARM.setRemoveOnCancelPolicy(true);
    ALARM.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    ALARM.allowCoreThreadTimeOut(true);
  }

  private Errands() {}

  /** A daemon that is not started, for what a node does all the time. */
  public static Thread ownThread(String name, Runnable task) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .inheritInheritableThreadLocals(false)
        .unstarted(task);
  }

  /** Of those that outlive nodes: it keeps nothing of the thread that happens to start it. */
  private static Thread sharedThread(String name, Runnable task) {
    Thread thread = ownThread(name, task);
    thread.setContextClassLoader(null);
    return thread;
  }

  /**
   * Runs an errand soon, on a thread that has its name, and the caller's class loader, meanwhile.
   * It may wait.
   */
  public static void run(String name, Runnable errand) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      THREADS.execute(() -> runAs(name, loader, errand));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // all are out, or no more can start
      Thread.ofVirtual().name(name).start(errand);
    }
  }

  private static void runAs(String name, @Nullable ClassLoader loader, Runnable errand) {
    Thread thread = Thread.currentThread();
    thread.setName(name);
    thread.setContextClassLoader(loader);
    try {
      errand.run();
    } finally {
      thread.setContextClassLoader(null);
      thread.setName(IDLE);
    }
  }

  /**
   * Logs what a thread that serves a node for as long as that lives has met, and goes on. Without
   * heap or words it does not.
   */
  public static void survived(System.Logger log, String doing, Throwable failure) {
    Words.log(log, System.Logger.Level.ERROR, doing.replace("%", "%%"), 0, failure);
  }

  /**
   * Runs an errand that does not wait, and may run twice, when a time is over.
   *
   * @return what cancels it
   */
  public static Future<?> later(Duration time, Runnable errand) {
    try {
      return ALARM.schedule(errand, time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (OutOfMemoryError e) { // no thread can start; it may run twice, should one do so later
      FutureTask<?> task = new FutureTask<>(errand, null);
      Thread.ofVirtual().name("verbena-alarm").start(() -> runAfter(time, task));
      return task;
    }
  }

  private static void runAfter(Duration time, Runnable task) {
    try {
      Thread.sleep(time);
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
