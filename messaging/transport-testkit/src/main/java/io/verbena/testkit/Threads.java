// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads of this JVM: started for a test, listed for leaks, dumped for diagnostics. */
public final class Threads {

  private Threads() {}

  /** Work a test does on several threads at once; {@link #join} hands on what they threw. */
  public static final class Crew {
    private final List<FutureTask<?>> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Starts a thread. */
    public Crew start(Callable<?> work) {
      FutureTask<?> task = new FutureTask<>(work);
      Thread thread = new Thread(task, "test-" + (tasks.size() + 1));
      thread.setDaemon(true);
      tasks.add(task);
      threads.add(thread);
      thread.start();
      return this;
    }

    /** Waits for all of them; what one of them threw is thrown here. */
    public void join() {
      long deadline = System.nanoTime() + Await.LONG.toNanos();
      for (int i = 0; i < tasks.size(); i++) {
        join(i, deadline);
      }
    }

    private void join(int index, long deadline) {
      try {
        tasks.get(index).get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        AssertionError failure =
            new AssertionError(threads.get(index).getName() + " still runs after " + Await.LONG, e);
        failure.setStackTrace(threads.get(index).getStackTrace());
        throw failure;
      } catch (ExecutionException e) {
        throw new AssertionError(threads.get(index).getName() + " threw " + e.getCause(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for the test's threads", e);
      }
    }
  }

  /** Those of the whole process that wait for something to do; they end by themselves. */
  private static final Set<String> IDLE = Set.of("verbena-errand", "verbena-alarm");

  /** The names of the live platform threads that start with {@code verbena} and work for nodes. */
  public static List<String> ofVerbena() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("verbena") && !IDLE.contains(name))
        .sorted()
        .toList();
  }

  /** The stacks of all threads, virtual ones too. */
  public static String dump() {
    try {
      Path file = Files.createTempFile("verbena-threads", ".txt");
      Files.delete(file);
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(
              file.toAbsolutePath().toString(),
              HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      String text = Files.readString(file);
      Files.delete(file);
      return text;
    } catch (IOException e) {
      return dumpOfPlatformThreads() + "(virtual threads: " + e + ")";
    }
  }

  private static String dumpOfPlatformThreads() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      text.append(entry.getKey()).append('\n');
      for (StackTraceElement element : entry.getValue()) {
        text.append("    at ").append(element).append('\n');
      }
    }
    return text.toString();
  }
}
