// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What must not be left behind however this process ends, short of being killed: child processes
 * with all they have started, and then what they used.
 */
public final class AtExit {

  private static final Set<Process> PROCESSES = new HashSet<>();
  private static final Set<Runnable> CLEANINGS = new LinkedHashSet<>();
  private static boolean isEnding;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(AtExit::sweep, "sweeper"));
    } catch (IllegalStateException e) {
      isEnding = true; // the end has begun before there was anything to sweep
    }
  }

  private AtExit() {}

  /** From now on the process is killed at the end; at once if the end has begun. */
  public static synchronized void add(Process process) {
    if (isEnding) {
      process.destroyForcibly();
    }
    PROCESSES.add(process);
  }

  /** The process has ended. */
  public static synchronized void remove(Process process) {
    PROCESSES.remove(process);
  }

  /** From now on this is done at the end, when the processes are gone. */
  public static synchronized void add(Runnable cleaning) {
    CLEANINGS.add(cleaning);
  }

  /** It has been done. */
  public static synchronized void remove(Runnable cleaning) {
    CLEANINGS.remove(cleaning);
  }

  private static void sweep() {
    ProcessTree.kill(processesLeft());
    cleaningsLeft().forEach(Runnable::run);
  }

  private static synchronized List<ProcessHandle> processesLeft() {
    isEnding = true;
    List<ProcessHandle> left = new ArrayList<>();
    PROCESSES.forEach(process -> left.addAll(ProcessTree.all(process.toHandle())));
    return left;
  }

  private static synchronized List<Runnable> cleaningsLeft() {
    return List.copyOf(CLEANINGS);
  }
}
