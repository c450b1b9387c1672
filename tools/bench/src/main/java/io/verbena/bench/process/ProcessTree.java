// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A process and those it started: the processor time they have used, and their end. */
public final class ProcessTree {

  /** Linux counts in hundredths of a second, whatever its timer's frequency. */
  private static final double TICKS_PER_SECOND = 100;

  /** Positions behind the name in /proc/PID/stat: of itself, and of children that have ended. */
  private static final int USER = 11;

  private static final int WAITED_SYSTEM = 14;
  private static final String ZOMBIE = "Z";

  private static final long END_PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long GLANCE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private ProcessTree() {}

  /** The processor time of all of them, and of those that have ended and were waited for. */
  public static double cpuSeconds(ProcessHandle root) {
    return all(root).stream().mapToDouble(ProcessTree::ownSeconds).sum();
  }

  /** The process and its descendants, as they are now: an orphan is nobody's descendant. */
  public static List<ProcessHandle> all(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants()).toList();
  }

  /**
   * Kills processes and waits until they are gone: whoever is measured next has the machine to
   * himself. An interrupt does not end the waiting, and stays set.
   */
  public static void kill(Collection<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    long endNs = System.nanoTime() + END_PATIENCE_NS;
    boolean wasInterrupted = Thread.interrupted(); // parking is no waiting otherwise
    while (!processes.stream().allMatch(ProcessTree::isGone) && System.nanoTime() < endNs) {
      LockSupport.parkNanos(GLANCE_NS);
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it has ended, and be it that nobody has waited for it yet. */
  public static boolean isGone(ProcessHandle process) {
    try {
      return !process.isAlive() || fields(process)[0].equals(ZOMBIE);
    } catch (IOException e) {
      return true;
    }
  }

  private static double ownSeconds(ProcessHandle process) {
    try {
      String[] fields = fields(process);
      long ticks = 0;
      for (int i = USER; i <= WAITED_SYSTEM; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks / TICKS_PER_SECOND;
    } catch (IOException e) {
      return 0; // it has ended; who waited for it has its time
    }
  }

  /** What stands in its stat behind the name, the state first. */
  private static String[] fields(ProcessHandle process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }
}
