// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Where figures come from.
 *
 * @param commit of the source tree in the working directory, {@code unknown} outside of one
 * @param jdk its vendor and version
 * @param cpu the processor's name
 * @param cores how many this process may use
 * @param kernel the operating system's name and version
 */
public record Machine(String commit, String jdk, String cpu, int cores, String kernel) {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String UNKNOWN = "unknown";

  /** This machine, now. */
  public static Machine current() {
    return new Machine(
        headCommit(),
        System.getProperty("java.vendor") + " " + Runtime.version(),
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }

  /** One line that names it. */
  public String describe() {
    return "%s, %d core%s, %s, JDK %s".formatted(cpu, cores, cores == 1 ? "" : "s", kernel, jdk);
  }

  /**
   * A line that says so if the busy threads of all node processes outnumber the cores, else
   * nothing.
   */
  public String crowd(int nodes, int busyThreads) {
    return busyThreads <= cores
        ? ""
        : "%d busy threads of %d nodes on %d core%s: they take turns, figures are no limit%n"
            .formatted(busyThreads, nodes, cores, cores == 1 ? "" : "s");
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String headCommit() {
    ProcessBuilder git =
        new ProcessBuilder("git", "rev-parse", "HEAD")
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Command ended = Command.run(git, PATIENCE);
      return ended.status() == 0 ? ended.output().strip() : UNKNOWN;
    } catch (IOException | TimeoutException e) {
      return UNKNOWN; // there is no git here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNKNOWN;
    }
  }
}
