// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A peer in a JVM of its own, which is killed at the latest when it is closed. */
final class Child implements AutoCloseable {

  private final Process process;
  private final BufferedReader said;

  /** Runs a class of the tests. */
  Child(Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path")));
    String library = System.getProperty("verbena.native.library");
    if (library != null) {
      command.add("-Dverbena.native.library=" + library);
    }
    command.add(program.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    said = new BufferedReader(new InputStreamReader(process.getInputStream()));
  }

  /** The next line that it prints. */
  String line() throws IOException {
    String line = said.readLine();
    assertThat(line).as("a line of the child process").isNotNull();
    return line;
  }

  /** It takes nothing any more, so that what is begun now is under way when it is killed. */
  void stop() throws Exception {
    Process kill = new ProcessBuilder("kill", "-STOP", String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
    Path stat = Path.of("/proc", String.valueOf(process.pid()), "stat");
    while (!Files.readString(stat).contains(") T ")) {
      Await.idle(Duration.ofMillis(1));
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    said.close();
  }
}
