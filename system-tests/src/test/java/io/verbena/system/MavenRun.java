// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Maven in a process of its own, with a local repository in which Verbena is nobody else's: what
 * the user's own local repository holds of others is seen through links, and what is missing there
 * is fetched into it once.
 */
final class MavenRun implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(9);
  private static final String OURS = "verbena";

  private final Path repository;

  /**
   * Makes the local repository.
   *
   * @param folder where it is made
   */
  MavenRun(Path folder) throws IOException {
    repository = Files.createDirectory(folder.resolve("repository"));
    Path groups = Files.createDirectory(repository.resolve("io"));
    linkAllBut("io", usersRepository(), repository);
    linkAllBut(OURS, usersRepository().resolve("io"), groups);
  }

  /** Whether there is a Maven to run. */
  static boolean isInstalled() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mvn")));
  }

  private static Path usersRepository() {
    String named = System.getProperty("localRepository");
    return named != null
        ? Path.of(named)
        : Path.of(System.getProperty("user.home"), ".m2", "repository");
  }

  private static void linkAllBut(String name, Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
      for (Path entry : entries) {
        if (!entry.endsWith(name)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
        }
      }
    }
  }

  /** Takes the links away, so that nobody who deletes the folder goes through them. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> entries = Files.walk(repository, 2)) {
      for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  /** Where {@code io.verbena:artifact} lies, of this version. */
  Path installed(String artifact, String version) {
    return repository.resolve("io").resolve(OURS).resolve(artifact).resolve(version);
  }

  /** Runs Maven in a folder and fails, with what it said, unless it succeeds. */
  void run(Path folder, String... arguments)
      throws IOException, InterruptedException, TimeoutException {
    List<String> command =
        new ArrayList<>(List.of("mvn", "-B", "-q", "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(arguments));
    command(folder, command);
  }

  /** Runs a command in a folder; returns what it said, and fails unless it succeeds. */
  static String command(Path folder, List<String> command)
      throws IOException, InterruptedException, TimeoutException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Command ended = Command.run(builder, PATIENCE);
    assertThat(ended.status()).as("%s said:%n%s", command, ended.output()).isZero();
    return ended.output();
  }
}
