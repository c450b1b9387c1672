// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds a peer if it was not built since its sources changed. */
final class PeerBuild {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final PeerFolder peer;
  private final Path log;
  private final Path stamp;

  private PeerBuild(PeerFolder peer) {
    this.peer = peer;
    this.log = peer.target().resolve("build.log");
    this.stamp = peer.target().resolve("built");
  }

  /**
   * Builds; says why if the peer has to be left out, else null.
   *
   * @throws BenchException if it has what it needs and is not built
   */
  static @Nullable Skipped build(PeerFolder peer) throws InterruptedException {
    return new PeerBuild(peer).run();
  }

  private @Nullable Skipped run() throws InterruptedException {
    try {
      Files.createDirectories(peer.target());
      if (!peer.needs().isEmpty() && !succeeds(peer.needs())) {
        String reason = "what it needs is not installed ('" + words(peer.needs()) + "' fails)";
        return new Skipped(peer.name(), reason, peer.install());
      }
      if (!peer.build().isEmpty() && isStale()) {
        if (!succeeds(peer.build())) {
          throw new BenchException("its build failed, see " + log);
        }
        Files.writeString(stamp, "");
      }
      return null;
    } catch (IOException e) {
      throw new BenchException("it cannot be built: " + e.getMessage());
    }
  }

  private boolean isStale() throws IOException {
    if (!Files.exists(stamp)) {
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

  /** Its own, those peers share, and those of the judgement. */
  private List<Path> sources() {
    Path peers = peer.path().resolveSibling("");
    Path bench = peer.path().resolve("../../src/main/java/io/verbena/bench");
    return List.of(
        peer.path(),
        peers.resolve("java"),
        peers.resolve("c"),
        peers.resolve("pom.xml"),
        bench.resolve("message"),
        bench.resolve("verify"));
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

  private boolean succeeds(List<String> command) throws InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(peer.path().toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      return Command.run(builder, PATIENCE).status() == 0;
    } catch (IOException | TimeoutException e) {
      return false; // there is no such command here, or it does not end
    }
  }

  private static String words(List<String> command) {
    return String.join(" ", command);
  }
}
