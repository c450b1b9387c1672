// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.verbena.bench.control.Line;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has used since it started.
 *
 * @param cpuNs processor time of all its threads, the compiler's and the collector's included
 * @param allocatedBytes heap memory allocated by all Java threads
 */
public record Usage(long cpuNs, long allocatedBytes) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /** Until now. */
  public static Usage now() {
    return new Usage(SYSTEM.getProcessCpuTime(), THREADS.getTotalThreadAllocatedBytes());
  }

  /**
   * As {@link #now}, but to the nanosecond where the kernel tells it: the process's own figure
   * moves in steps of 10 ms. Threads that end in between are missing.
   */
  static Usage ofLiveThreads() {
    Usage coarse = now();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      long sumNs = 0;
      for (Path thread : threads) {
        String text = Files.readString(thread.resolve("schedstat"));
        sumNs += Long.parseLong(text.substring(0, text.indexOf(' ')));
      }
      return new Usage(sumNs, coarse.allocatedBytes);
    } catch (IOException | RuntimeException e) {
      return coarse; // not on this kernel
    }
  }

  /** What was used since. */
  public Usage minus(Usage earlier) {
    return new Usage(cpuNs - earlier.cpuNs, allocatedBytes - earlier.allocatedBytes);
  }

  /** As a report. */
  public Line toLine() {
    return new Line("usage").with("cpu", cpuNs).with("allocated", allocatedBytes);
  }
}
