// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The processor time that the compilers of JVMs have used. The kernel tells it of each thread, so a
 * compilation that takes several rounds is seen while it goes on; what the JVM itself tells counts
 * a compilation when it has ended.
 */
public final class CompilerThreads {

  private static final String FIRST = "C1 CompilerThre"; // names end after 15 characters
  private static final String SECOND = "C2 CompilerThre";

  private CompilerThreads() {}

  /**
   * Seconds of all compiler threads that live now, in a process and its descendants; 0 if they are
   * no JVMs. A thread that has ended takes its time with it.
   */
  public static double cpuSeconds(ProcessHandle root) {
    return ProcessTree.all(root).stream().mapToDouble(CompilerThreads::ownSeconds).sum();
  }

  private static double ownSeconds(ProcessHandle process) {
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      long sumNs = 0;
      for (Path thread : threads) {
        sumNs += compilerNs(thread);
      }
      return sumNs / 1e9;
    } catch (IOException | DirectoryIteratorException e) {
      return 0; // it has ended
    }
  }

  private static long compilerNs(Path thread) throws IOException {
    try {
      String name = Files.readString(thread.resolve("comm")).strip();
      if (!name.equals(FIRST) && !name.equals(SECOND)) {
        return 0;
      }
      String text = Files.readString(thread.resolve("schedstat"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')));
    } catch (NoSuchFileException e) {
      return 0; // the thread has ended meanwhile
    }
  }
}
