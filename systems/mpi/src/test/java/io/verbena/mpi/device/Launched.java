// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that was run as ranks by verbena-run, or by nobody, to its end.
 *
 * @param status what it has ended with
 * @param lines what it has said, on both outputs
 */
public record Launched(int status, List<String> lines) {

  private static final Path RUN =
      Path.of(System.getProperty("verbena.run", "../../native/target/build/bin/verbena-run"));

  /** Runs ranks to their end; skips the test where there is no launcher. */
  public static Launched run(
      Path folder,
      Map<String, String> variables,
      List<String> options,
      Class<?> main,
      String... arguments)
      throws Exception {
    assumeTrue(Files.isExecutable(RUN), RUN + " is not built");
    List<String> command = new ArrayList<>(List.of(RUN.toString()));
    command.addAll(options);
    command.add("--");
    command.addAll(java(main, arguments));
    return end(folder, variables, command);
  }

  /** Runs a program that is no rank to its end. */
  public static Launched alone(Path folder, Class<?> main, String... arguments) throws Exception {
    return end(folder, Map.of(), java(main, arguments));
  }

  private static Launched end(Path folder, Map<String, String> variables, List<String> command)
      throws Exception {
    Path said = folder.resolve("said");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process run = builder.redirectOutput(said.toFile()).start();
    boolean ended = run.waitFor(5, TimeUnit.MINUTES);
    run.destroyForcibly();
    List<String> lines = Files.readAllLines(said);
    assertThat(ended).as("it ends: %s", lines).isTrue();
    return new Launched(run.exitValue(), lines);
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("--enable-native-access=ALL-UNNAMED");
    String library = System.getProperty("verbena.native.library");
    if (library != null) {
      command.add("-Dverbena.native.library=" + library);
    }
    command.addAll(List.of("-cp", classPath(main), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Of this JVM, whose modules may be on a path of their own. */
  private static String classPath(Class<?> main) {
    String modules = System.getProperty("jdk.module.path", "");
    String classes = main.getProtectionDomain().getCodeSource().getLocation().getPath();
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    return modules.isEmpty() ? path : path + File.pathSeparator + modules;
  }
}
