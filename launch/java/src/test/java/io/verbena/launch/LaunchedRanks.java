// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.natives.NativeLibrary;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A job in Java, as a user starts it. */
final class LaunchedRanks {

  private static final Path RUN =
      Path.of(System.getProperty("verbena.run", "../../native/target/build/bin/verbena-run"));

  private LaunchedRanks() {}

  /**
   * Runs ranks to their end; skips the test where there is no launcher.
   *
   * @param lines is given what they say
   * @return the exit status
   */
  static int run(
      Path folder, List<String> options, Class<?> main, List<String> arguments, List<String> lines)
      throws Exception {
    assumeTrue(Files.isExecutable(RUN), RUN + " is not built");
    List<String> command = new ArrayList<>(List.of(RUN.toString()));
    command.addAll(options);
    command.addAll(List.of("--", java(), "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    String library = System.getProperty(NativeLibrary.PROPERTY);
    if (library != null) {
      command.add("-D" + NativeLibrary.PROPERTY + "=" + library);
    }
    command.addAll(List.of("-cp", classPath(main), main.getName()));
    command.addAll(arguments);
    Path said = folder.resolve("said");
    Process run =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean ended = run.waitFor(5, TimeUnit.MINUTES);
    run.destroyForcibly();
    lines.addAll(Files.readAllLines(said));
    assertThat(ended).as("it ends: %s", lines).isTrue();
    return run.exitValue();
  }

  /** A --rsh that runs a command on this host, whatever the name. */
  static String localShell(Path folder) throws Exception {
    Path shell = folder.resolve("shell");
    Files.writeString(shell, "#!/bin/sh\neval \"exec $2\"\n");
    assertThat(shell.toFile().setExecutable(true)).isTrue();
    return shell.toString();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Of this JVM, whose modules may be on a path of their own. */
  private static String classPath(Class<?> main) {
    String modules = System.getProperty("jdk.module.path", "");
    String classes = main.getProtectionDomain().getCodeSource().getLocation().getPath();
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    return modules.isEmpty() ? path : path + File.pathSeparator + modules;
  }
}
