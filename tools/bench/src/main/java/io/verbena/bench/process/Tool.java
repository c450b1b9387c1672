// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A native tool that measures by itself, and tells the result in lines of JSON.
 *
 * @param path where it is built
 */
public record Tool(Path path) {

  /**
   * What it says; it has run to its end.
   *
   * @throws BenchException if it cannot be started, fails, or takes longer
   */
  public String run(Duration patience, String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(path.toString()));
    command.addAll(List.of(words));
    try {
      Command ended = Command.run(new ProcessBuilder(command).redirectErrorStream(true), patience);
      if (ended.status() != 0) {
        throw new BenchException(path + " failed: " + ended.output().strip());
      }
      return ended.output();
    } catch (IOException | TimeoutException e) {
      throw new BenchException(String.valueOf(e.getMessage()));
    }
  }
}
