// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A process and those it started, and the processor time they have used. */
final class ProcessTree {

  /** Linux counts in hundredths of a second, whatever its timer's frequency. */
  private static final double TICKS_PER_SECOND = 100;

  /** Positions behind the name in /proc/PID/stat: of itself, and of children that have ended. */
  private static final int USER = 11;

  private static final int WAITED_SYSTEM = 14;

  private ProcessTree() {}

  static double cpuSeconds(ProcessHandle root) {
    return all(root).stream().mapToDouble(ProcessTree::ownSeconds).sum();
  }

  static List<ProcessHandle> all(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants()).toList();
  }

  private static double ownSeconds(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = 0;
      for (int i = USER; i <= WAITED_SYSTEM; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks / TICKS_PER_SECOND;
    } catch (IOException e) {
      return 0; // it has ended; who waited for it has its time
    }
  }
}
