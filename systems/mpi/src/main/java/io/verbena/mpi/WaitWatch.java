// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.collective.Operation;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes known who waits for whom in a rank. It has a thread whose name says so: the JVM keeps
 * SIGQUIT for itself, and answers it by a dump of all threads, as {@code jstack} does; among them
 * is this one. Where a wait may last for so long only, and does so for longer, all are reported,
 * and again each time it has lasted twice as long.
 */
final class WaitWatch implements Runnable {

  /** How old a name may be: what hangs, hangs for longer. */
  private static final Duration LOOK = Duration.ofMillis(200);

  private static final int MOST_IN_A_NAME = 16;
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private final String rank;
  private final Supplier<List<Wait>> waits;
  private final long timeoutNs;
  private final Consumer<String> report;
  private final Thread thread;
  private long lookedNs; // at the waits, the last time

  /**
   * @param rank what it is called
   * @param waits tells who waits now
   * @param timeout how long a wait lasts before it is reported
   * @param report takes a line for each wait
   */
  WaitWatch(String rank, Supplier<List<Wait>> waits, Duration timeout, Consumer<String> report) {
    this.rank = rank;
    this.waits = waits;
    this.timeoutNs = Math.max(1, timeout.toNanos());
    this.report = report;
    this.lookedNs = System.nanoTime();
    this.thread = Thread.ofPlatform().daemon().name(rank + " does not wait").unstarted(this);
  }

  /** Starts the watch over a rank. */
  static WaitWatch start(Device device, Duration timeout, Consumer<String> report) {
    String rank = "MPI rank %d of %d".formatted(device.rank(), device.size());
    WaitWatch watch = new WaitWatch(rank, device::waits, timeout, report);
    watch.thread.start();
    return watch;
  }

  void stop() {
    thread.interrupt();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        look(System.nanoTime());
      }
    } catch (InterruptedException e) {
      // the end
    }
  }

  /** A wait that is in the thread's name is reported, too, if that is due. */
  void look(long nowNs) {
    List<Wait> all = waits.get();
    if (all.stream().anyMatch(wait -> isDue(wait, nowNs))) {
      all.forEach(wait -> report.accept(rank + " waits: " + words(wait)));
    }
    lookedNs = nowNs;
    String name = name(all);
    if (!name.equals(thread.getName())) {
      thread.setName(name);
    }
  }

  private boolean isDue(Wait wait, long nowNs) {
    return doublings(nowNs - wait.sinceNs()) > doublings(lookedNs - wait.sinceNs());
  }

  /** 0 for what is shorter than the time-out, 1 up to twice that, 2 up to four times that. */
  private int doublings(long waitedNs) {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, waitedNs) / timeoutNs);
  }

  private String name(List<Wait> all) {
    if (all.isEmpty()) {
      return rank + " does not wait";
    }
    String more = all.size() > MOST_IN_A_NAME ? "; and " + (all.size() - MOST_IN_A_NAME) : "";
    return all.stream()
        .sorted(Comparator.comparingLong(Wait::sinceNs))
        .limit(MOST_IN_A_NAME)
        .map(WaitWatch::words)
        .collect(Collectors.joining("; ", rank + " waits: ", more));
  }

  /** That of all members, where it is one. */
  private static String call(Wait wait) {
    if (!ContextIds.isOfCollectives(wait.context())) {
      return wait.call();
    }
    return Operation.ofTag(wait.tag())
        .map(operation -> operation + " (" + wait.call() + ")")
        .orElse(wait.call());
  }

  /** The same for as long as the wait lasts. */
  private static String words(Wait wait) {
    Instant since = Instant.now().minus(wait.forNs(), ChronoUnit.NANOS);
    return "%s in %s, rank %s, tag %s, context %d, since %s"
        .formatted(
            wait.thread(),
            call(wait),
            wait.rank() == Device.ANY_SOURCE ? "any" : wait.rank(),
            wait.tag() == Device.ANY_TAG ? "any" : wait.tag(),
            wait.context(),
            CLOCK.format(since));
  }
}
