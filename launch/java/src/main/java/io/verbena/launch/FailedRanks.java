// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import io.verbena.fabric.ClosedException;
import io.verbena.fabric.Fabric;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells a fabric of each rank that has failed as soon as the job knows, until the fabric is closed.
 * One that has ended well takes leave itself, and what it has sent may still be on its way.
 */
final class FailedRanks implements Runnable {

  /** When is looked whether the fabric is still there: ends are heard of at once. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final NativeJob job;
  private final Fabric fabric;
  private final Thread thread;

  private FailedRanks(NativeJob job, Fabric fabric) {
    this.job = job;
    this.fabric = fabric;
    String name = "verbena-fabric-" + fabric.nodeId() + "-ranks";
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  /** Starts the thread that does it; it keeps the job. */
  static FailedRanks watch(NativeJob job, Fabric fabric) {
    FailedRanks watching = new FailedRanks(job, fabric);
    job.keep();
    watching.thread.start();
    return watching;
  }

  /** If its fabric is closed, waits until it does not keep the job any more. */
  void end() {
    if (!fabric.isClosed()) {
      return;
    }
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
    try {
      for (int told = 0; !fabric.isClosed(); ) {
        Optional<RankEnd> end = job.endAt(told, LOOK);
        end.filter(it -> it.status() != 0).ifPresent(this::tell);
        told += end.isPresent() ? 1 : 0;
      }
    } catch (ClosedException e) {
      // as good as a look at it
    } finally {
      job.release();
    }
  }

  private void tell(RankEnd end) {
    fabric.giveUp(end.rank(), "rank %d has ended with %d".formatted(end.rank(), end.status()));
  }
}
