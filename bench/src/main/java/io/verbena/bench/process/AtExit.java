// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What must not be left behind however this process ends, short of being killed: child processes
 * with all they have started, and then the folders they use.
 */
public final class AtExit {

  private static final Set<Process> PROCESSES = new HashSet<>();
  private static final Set<Path> FOLDERS = new HashSet<>();
  private static boolean isEnding;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtExit::sweep, "sweeper"));
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

  /** From now on the folder is deleted at the end. */
  public static synchronized void add(Path folder) {
    FOLDERS.add(folder);
  }

  /**
   * Deletes a folder and what is in it. What comes or goes meanwhile is no failure: it is tried
   * again at the end.
   *
   * @return whether it is gone
   */
  public static boolean delete(Path folder) {
    deleteContent(folder);
    boolean isGone = !Files.exists(folder);
    synchronized (AtExit.class) {
      if (isGone) {
        FOLDERS.remove(folder);
      }
    }
    return isGone;
  }

  private static void deleteContent(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // seen by who asks whether it is gone
    }
  }

  private static void sweep() {
    ProcessTree.kill(processesLeft());
    foldersLeft().forEach(AtExit::deleteContent);
  }

  private static synchronized List<ProcessHandle> processesLeft() {
    isEnding = true;
    List<ProcessHandle> left = new ArrayList<>();
    PROCESSES.forEach(process -> left.addAll(ProcessTree.all(process.toHandle())));
    return left;
  }

  private static synchronized List<Path> foldersLeft() {
    return List.copyOf(FOLDERS);
  }
}
