// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.BenchException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A command that ran to its end.
 *
 * @param status its exit status
 * @param output what it wrote, unless that went to a file
 */
public record Command(int status, String output) {

  /**
   * Runs a command with nothing on its standard input. It does not outlive the wait for it: if that
   * is interrupted, takes too long, or this process ends, it is killed with all it has started.
   *
   * @throws IOException if there is no such command
   * @throws BenchException if it takes longer
   */
  public static Command run(ProcessBuilder builder, Duration patience)
      throws IOException, InterruptedException {
    Process process = builder.start();
    AtExit.add(process);
    try {
      process.getOutputStream().close();
      CompletableFuture<String> output = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> output.complete(read(process.getInputStream())));
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        String text = "'%s' took longer than %d s";
        throw new BenchException(
            text.formatted(String.join(" ", builder.command()), patience.toSeconds()));
      }
      return new Command(process.exitValue(), output.join());
    } finally {
      ProcessTree.kill(ProcessTree.all(process.toHandle()));
      AtExit.remove(process);
    }
  }

  private static String read(InputStream stream) {
    try {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return ""; // it was killed
    }
  }
}
