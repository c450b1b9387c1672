// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.process.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A file system in memory of so few bytes that it can be filled. */
final class SmallFileSystem implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path path;

  private SmallFileSystem(Path path) {
    this.path = path;
  }

  /** Mounts one; the test is skipped where that is not allowed. */
  static SmallFileSystem mount(Path path, int kibibytes) throws IOException, InterruptedException {
    Files.createDirectory(path);
    String size = "size=" + kibibytes + "k,mode=700";
    String refusal = run("mount", "-t", "tmpfs", "-o", size, "tmpfs", path.toString());
    assumeTrue(refusal.isEmpty(), "no file system can be mounted here: " + refusal);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    return new SmallFileSystem(path);
  }

  Path path() {
    return path;
  }

  /** Leaves no room in it. */
  void fill() throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(path.resolve("ballast"))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      if (Files.size(path.resolve("ballast")) == 0) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    String failure = run("umount", path.toString());
    if (!failure.isEmpty()) {
      throw new IOException("cannot unmount " + path + ": " + failure);
    }
  }

  /** Returns what a command that failed said, else nothing. */
  private static String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    try {
      Command ended = Command.run(builder, PATIENCE);
      String failure = ended.output().strip() + " (exit status " + ended.status() + ")";
      return ended.status() == 0 ? "" : failure;
    } catch (TimeoutException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
