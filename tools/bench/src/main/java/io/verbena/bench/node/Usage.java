// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.verbena.bench.control.Line;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

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
   * What is used while the calling thread sleeps: to the nanosecond where the kernel tells it of
   * each thread, as the process's own figure moves in steps of 10 ms. Threads that end meanwhile
   * are missing.
   */
  static Usage whileSleeping(long durationNs) throws InterruptedException {
    Usage start = now();
    Map<Path, Long> before = liveThreads();
    TimeUnit.NANOSECONDS.sleep(durationNs);
    Map<Path, Long> after = liveThreads();
    Usage used = now().minus(start);
    if (before.isEmpty() || after.isEmpty()) {
      return used; // not on this kernel
    }
    long cpuNs = 0;
    for (Map.Entry<Path, Long> thread : after.entrySet()) {
      cpuNs += Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
    }
    return new Usage(cpuNs, used.allocatedBytes);
  }

  /** The processor time of each thread. */
  private static Map<Path, Long> liveThreads() {
    Map<Path, Long> timesNs = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        putTime(thread, timesNs);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return Map.of();
    }
    return timesNs;
  }

  private static void putTime(Path thread, Map<Path, Long> timesNs) {
    try {
      String text = Files.readString(thread.resolve("schedstat"));
      timesNs.put(thread, Long.parseLong(text.substring(0, text.indexOf(' '))));
    } catch (IOException e) {
      // It has ended meanwhile.
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
