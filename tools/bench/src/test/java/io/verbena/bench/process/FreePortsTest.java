// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  /** The nodes of one cluster are still starting when the next one's ports are looked for. */
  @Test
  void portsThatWereFoundAreNotFoundAgain() {
    Set<Integer> all = new HashSet<>();
    for (int cluster = 0; cluster < 50; cluster++) {
      all.addAll(FreePorts.find(10));
    }
    assertEquals(500, all.size());
  }

  @Test
  void portOfAnotherProcessIsNotFoundWhileThatLives() throws IOException, InterruptedException {
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
      assertFalse(FreePorts.reserve(port), () -> "port " + port + " is the other process's");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** Finds a port, tells which, and lives until it is ended. */
  static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      List<Integer> found = FreePorts.find(1);
      System.out.println(found.getFirst());
      System.in.read();
    }
  }
}
