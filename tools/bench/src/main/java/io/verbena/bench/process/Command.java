// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command that ran to its end.
 *
 * @param status its exit status
 * @param output what it wrote, unless that went to a file
 */
public record Command(int status, String output) {

  /**
   * When is looked for the first time whom it has started: an orphan is nobody's descendant. Each
   * time it takes twice as long to the next look, for a look is work beside what may be measured.
   */
  private static final long FIRST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long MOST_BETWEEN_LOOKS_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Runs a command with nothing on its standard input. It does not outlive the wait for it: when it
   * has ended, is interrupted or takes too long, or this process ends, it is killed with all it has
   * started and was seen with. It takes too long, too, if its output is held open by such a one.
   *
   * @throws IOException if there is no such command
   * @throws TimeoutException if it takes longer, with a message that says so
   */
  public static Command run(ProcessBuilder builder, Duration patience)
      throws IOException, InterruptedException, TimeoutException {
    long endNs = System.nanoTime() + patience.toNanos();
    Process process = builder.start();
    AtExit.add(process);
    Set<ProcessHandle> family = new LinkedHashSet<>();
    StringBuffer output = new StringBuffer();
    try {
      process.getOutputStream().close();
      Thread reader = Thread.ofPlatform().daemon().start(() -> read(process, output));
      waitFor(process, endNs, family);
      if (!reader.join(Duration.ofNanos(rest(endNs)))) {
        throw new TimeoutException();
      }
      return new Command(process.exitValue(), output.toString());
    } catch (TimeoutException e) {
      String text = "'%s' (process %d) took longer than %d s; %s";
      String words = String.join(" ", builder.command());
      String last = LastWords.of(output.toString());
      throw new TimeoutException(text.formatted(words, process.pid(), patience.toSeconds(), last));
    } finally {
      family.addAll(ProcessTree.all(process.toHandle()));
      ProcessTree.kill(family);
      AtExit.remove(process);
    }
  }

  /** Waits for its end, and notes whom it has started until then. */
  private static void waitFor(Process process, long endNs, Collection<ProcessHandle> family)
      throws InterruptedException, TimeoutException {
    long lookNs = FIRST_LOOK_NS;
    while (!process.waitFor(Math.min(lookNs, rest(endNs)), TimeUnit.NANOSECONDS)) {
      family.addAll(ProcessTree.all(process.toHandle()));
      lookNs = Math.min(2 * lookNs, MOST_BETWEEN_LOOKS_NS);
      if (rest(endNs) == 0) {
        throw new TimeoutException();
      }
    }
  }

  private static long rest(long endNs) {
    return Math.max(0, endNs - System.nanoTime());
  }

  private static void read(Process process, StringBuffer output) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      char[] piece = new char[4096];
      for (int read = reader.read(piece); read >= 0; read = reader.read(piece)) {
        output.append(piece, 0, read);
      }
    } catch (IOException e) {
      // It was killed: what it had written is there.
    }
  }
}
