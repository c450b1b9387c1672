// SPDX-License-Identifier: Apache-2.0
package io.verbena.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the jcstress tests: a minute or two, or with {@code -Dverbena.jcstress=full} as long as
 * jcstress takes by default.
 */
class JcstressTest {

  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final boolean FULL = "full".equals(System.getProperty("verbena.jcstress"));

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyOutcomeIsExpected() throws IOException, InterruptedException {
    Path target = Path.of("target").toAbsolutePath();
    Path output = Files.createDirectories(target).resolve("jcstress.txt");
    Process jcstress =
        new ProcessBuilder(command(target.resolve("jcstress")))
            .directory(target.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = jcstress.waitFor(FULL ? 110 : 20, TimeUnit.MINUTES);
    jcstress.destroyForcibly();
    String text = Files.readString(output);
    assertTrue(ended, "jcstress is not done in time\n" + text);
    assertEquals(0, jcstress.exitValue(), text);
    assertTrue(text.contains("Failed tests: No matches"), text);
    assertTrue(text.contains("Error tests: No matches"), text);
  }

  private static List<String> command(Path results) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                NATIVE_ACCESS,
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-r",
                results.toString()));
    if (FULL) {
      command.addAll(List.of("-jvmArgsPrepend", NATIVE_ACCESS));
    } else {
      // A few seconds for each test, both actors compiled alike: a look at every commit, no proof.
      command.addAll(List.of("-jvmArgs", NATIVE_ACCESS, "-sc", "false"));
      command.addAll(List.of("-f", "1", "-iters", "5", "-time", "700"));
    }
    return command;
  }
}
