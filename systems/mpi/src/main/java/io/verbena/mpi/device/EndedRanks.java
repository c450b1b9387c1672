// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.launch.Job;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Tells a device of the ranks that have ended, as soon as the job knows. */
final class EndedRanks implements Runnable {

  /** When is looked whether the device is still there: ends are heard of at once. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final System.Logger LOG = System.getLogger(EndedRanks.class.getName());

  private final Job job;
  private final Device device;
  private final Thread thread;
  private volatile boolean isStopped;

  private EndedRanks(Job job, Device device) {
    this.job = job;
    this.device = device;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("verbena-mpi-" + device.rank() + "-ranks")
            .unstarted(this);
  }

  static EndedRanks watch(Job job, Device device) {
    EndedRanks watch = new EndedRanks(job, device);
    watch.thread.start();
    return watch;
  }

  /** The job is not asked any more when this returns. */
  void stop() {
    isStopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    while (!isStopped) {
      try {
        job.nextEnd(LOOK).ifPresent(end -> device.ended(end.rank(), end.status()));
      } catch (IllegalStateException e) {
        return; // the job was closed, as where the world could not be made
      } catch (RuntimeException | Error e) { // no heap, most likely
        log(e);
        LockSupport.parkNanos(LOOK.toNanos());
      }
    }
  }

  private static void log(Throwable failure) {
    try {
      LOG.log(System.Logger.Level.ERROR, "it was not told that a rank has ended", failure);
    } catch (Throwable e) {
      // no heap for that either
    }
  }
}
