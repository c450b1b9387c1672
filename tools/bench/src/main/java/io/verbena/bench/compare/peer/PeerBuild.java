// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds a peer if it was not built, by the same command, since its sources changed. */
public final class PeerBuild {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** A build exits with it where this machine lacks something, and the last line says what. */
  private static final int LACKING = 77;

  /** As shells have it. */
  private static final int NO_SUCH_COMMAND = 127;

  private final PeerFolder peer;
  private final Path log;
  private final Path stamp;

  private PeerBuild(PeerFolder peer) {
    this.peer = peer;
    this.log = peer.target().resolve("build.log");
    this.stamp = peer.target().resolve("built");
  }

  /**
   * Builds; says why if the peer has to be left out, else null: for what this machine lacks no peer
   * is to blame.
   *
   * @throws BenchException if it has what it needs and does not compile
   */
  public static @Nullable Skipped build(PeerFolder peer) throws InterruptedException {
    return new PeerBuild(peer).run();
  }

  private @Nullable Skipped run() throws InterruptedException {
    try {
      Files.createDirectories(peer.target());
      if (!peer.needs().isEmpty() && statusOf(peer.needs()) != 0) {
        String reason = "what it needs is not installed ('" + words(peer.needs()) + "' fails)";
        return new Skipped(peer.name(), reason, peer.install());
      }
      return peer.build().isEmpty() || !isStale() ? null : build();
    } catch (IOException e) {
      return cannotBeBuilt(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      throw new BenchException("its build hangs: " + e.getMessage() + ", see " + log);
    }
  }

  private @Nullable Skipped build() throws IOException, InterruptedException, TimeoutException {
    int status = statusOf(peer.build());
    if (status == LACKING) {
      return cannotBeBuilt(lastLine());
    }
    if (status == NO_SUCH_COMMAND) {
      String reason = "there is no '" + peer.build().getFirst() + "' to build it with";
      return new Skipped(peer.name(), reason, peer.install());
    }
    if (status != 0) {
      throw new BenchException("its build failed, see " + log);
    }
    Files.writeString(stamp, words(peer.build()));
    return null;
  }

  private Skipped cannotBeBuilt(String reason) {
    return new Skipped(
        peer.name(), "it cannot be built here: %s; see %s".formatted(reason, log), "");
  }

  private String lastLine() throws IOException {
    List<String> lines = Files.readAllLines(log).stream().filter(line -> !line.isBlank()).toList();
    return lines.isEmpty() ? "it does not say why" : lines.getLast().strip();
  }

  private boolean isStale() throws IOException {
    if (!Files.exists(stamp) || !Files.readString(stamp).equals(words(peer.build()))) {
      return true;
    }
    FileTime built = Files.getLastModifiedTime(stamp);
    for (Path sources : sources()) {
      Optional<FileTime> newest = newest(sources);
      if (newest.isPresent() && newest.get().compareTo(built) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Its own, those it names, those peers share, and those of the judgement. */
  private List<Path> sources() {
    Path peers = peer.path().resolveSibling("");
    Path bench = peer.path().resolve("../../src/main/java/io/verbena/bench");
    List<Path> sources = new ArrayList<>(peer.sources());
    sources.addAll(
        List.of(
            peer.path(),
            peers.resolve("java"),
            peers.resolve("c"),
            peers.resolve("pom.xml"),
            peers.resolve("mvn-package"),
            bench.resolve("message"),
            bench.resolve("verify")));
    return sources;
  }

  private Optional<FileTime> newest(Path sources) throws IOException {
    if (!Files.exists(sources)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.startsWith(peer.target()))
          .map(file -> FileTime.fromMillis(file.toFile().lastModified()))
          .max(FileTime::compareTo);
    }
  }

  private int statusOf(List<String> command) throws InterruptedException, TimeoutException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(peer.path().toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      return Command.run(builder, PATIENCE).status();
    } catch (IOException e) {
      return NO_SUCH_COMMAND;
    }
  }

  private static String words(List<String> command) {
    return String.join(" ", command);
  }
}
