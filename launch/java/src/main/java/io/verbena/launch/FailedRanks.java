// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import io.verbena.Node;
import io.verbena.fabric.ClosedException;
import io.verbena.fabric.Fabric;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Tells a node, of messages or of the fabric, of each rank that has failed as soon as the job
 * knows, until the node is closed. One that has ended well takes leave itself, and what it has sent
 * may still be on its way.
 */
final class FailedRanks implements Runnable {

  /** When is looked whether the node is still there: ends are heard of at once. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final System.Logger LOG = System.getLogger(FailedRanks.class.getName());

  private final NativeJob.User job;
  private final BooleanSupplier isClosed;
  private final BiConsumer<Integer, String> giveUp;
  private final Thread thread;

  private FailedRanks(
      NativeJob.User job, String of, BooleanSupplier isClosed, BiConsumer<Integer, String> giveUp) {
    this.job = job;
    this.isClosed = isClosed;
    this.giveUp = giveUp;
    this.thread = Thread.ofPlatform().daemon().name("verbena-" + of + "-ranks").unstarted(this);
  }

  /** Starts the thread that tells a fabric; it keeps the job. */
  static FailedRanks watch(NativeJob job, Fabric fabric) {
    String name = "fabric-" + fabric.nodeId();
    return new FailedRanks(job.use(), name, fabric::isClosed, fabric::giveUp).start();
  }

  /** The same for a node that sends messages. */
  static FailedRanks watch(NativeJob job, Node node) {
    return new FailedRanks(job.use(), "" + node.id(), node::isClosed, node::giveUp).start();
  }

  private FailedRanks start() {
    thread.start();
    return this;
  }

  /** If its node is closed, waits until it does not keep the job any more. */
  void end() {
    if (!isClosed.getAsBoolean()) {
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
    try (job) {
      for (int told = 0; !isClosed.getAsBoolean(); ) {
        told += tellOfOne(told);
      }
    } catch (ClosedException e) {
      // as good as a look at it
    }
  }

  /** Returns how many ends it has told of. */
  private int tellOfOne(int told) {
    try {
      Optional<RankEnd> end = job.endAt(told, LOOK);
      end.filter(it -> it.status() != 0).ifPresent(this::tell);
      return end.isPresent() ? 1 : 0;
    } catch (ClosedException e) {
      throw e;
    } catch (RuntimeException | Error e) { // no heap, most likely: it is told of once more
      log(e);
      LockSupport.parkNanos(LOOK.toNanos());
      return 0;
    }
  }

  private static void log(Throwable failure) {
    try {
      LOG.log(System.Logger.Level.ERROR, "a node was not told that a rank has ended", failure);
    } catch (Throwable e) {
      // no heap for that either
    }
  }

  private void tell(RankEnd end) {
    giveUp.accept(end.rank(), "rank %d has ended with %d".formatted(end.rank(), end.status()));
  }
}
