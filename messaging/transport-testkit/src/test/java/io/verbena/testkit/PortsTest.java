// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {

  /** Two nodes of one cluster get their ports before either of them listens. */
  @Test
  void noPortIsGivenTwiceInARow() {
    assertEquals(1000, Stream.generate(Ports::free).limit(1000).collect(Collectors.toSet()).size());
  }

  /** Several suites run at a time. */
  @Test
  void portOfAnotherProcessIsNotGivenWhileThatLives() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = other.inputReader()) {
      int port = Integer.parseInt(said.readLine());
      assertFalse(Ports.reserve(port), () -> "port " + port + " is the other process's");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Takes a port, tells which, and lives until it is ended. */
  static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      System.out.println(Ports.free());
      System.in.read();
    }
  }
}
