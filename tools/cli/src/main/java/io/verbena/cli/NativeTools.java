// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Command;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The native tools of this source tree. One that has to be there is built where it is not: what the
 * build says goes to this process's standard error.
 */
final class NativeTools {

  private static final Path BUILD = Path.of("native", "target", "build");
  private static final String SCRIPT = "scripts/native";

  /** The library, of which they are made, takes some minutes where that is not built either. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final @Nullable Path root;
  private final Map<String, String> environment;

  /**
   * Those of a tree.
   *
   * @param root where it lies; null where there is none
   * @param environment what the build finds in its environment besides this process's, or instead
   */
  NativeTools(@Nullable Path root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /** Those of the tree that the launcher lies in, or this process runs in. */
  static NativeTools here() {
    Path folder = Path.of(System.getProperty("verbena.root", ".")).toAbsolutePath().normalize();
    while (folder != null && !Files.isExecutable(folder.resolve(SCRIPT))) {
      folder = folder.getParent();
    }
    return new NativeTools(folder, Map.of());
  }

  /** Where a tool is; null where it is not built. */
  @Nullable Path find(String name) {
    if (root == null) {
      return null;
    }
    Path tool = root.resolve(BUILD).resolve("bench").resolve(name);
    return Files.isExecutable(tool) ? tool : null;
  }

  /** What builds it, from the root of the tree. */
  static String command(String name) {
    return String.join(" ", SCRIPT, "tool", BUILD.toString(), name);
  }

  /**
   * A tool that has to be there: builds it where it is not.
   *
   * @param progress hears that it is built
   * @throws BenchException if it cannot be built, with what is missing or failed
   */
  Tool require(String name, Consumer<String> progress) throws InterruptedException {
    Path tool = find(name);
    if (tool == null) {
      build(name, progress);
      tool = find(name);
    }
    if (tool == null) {
      throw new BenchException("'%s' has built no %s".formatted(command(name), name));
    }
    return new Tool(tool);
  }

  private void build(String name, Consumer<String> progress) throws InterruptedException {
    if (root == null) {
      throw new BenchException(
          name + " is built from the source tree, which this is not: run ./verbena there");
    }
    try {
      Command check = run(root, Redirect.PIPE, "check");
      if (check.status() != 0) {
        throw new BenchException(
            "%s is not built here and cannot be: %s"
                .formatted(name, check.output().strip().replaceFirst("^native: ", "")));
      }
      progress.accept("building " + name + " into " + root.resolve(BUILD) + " ...");
      int status = run(root, Redirect.INHERIT, "tool", BUILD.toString(), name).status();
      if (status != 0) {
        throw new BenchException(
            "%s could not be built; what failed stands above, and '%s' shows it again"
                .formatted(name, command(name)));
      }
    } catch (IOException | TimeoutException e) {
      throw new BenchException(String.valueOf(e.getMessage()));
    }
  }

  /** All that the script says goes to its standard error. */
  private Command run(Path tree, Redirect error, String... words)
      throws IOException, InterruptedException, TimeoutException {
    List<String> command = new ArrayList<>(List.of(tree.resolve(SCRIPT).toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(tree.toFile());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(error == Redirect.PIPE).redirectError(error);
    return Command.run(builder, PATIENCE);
  }
}
