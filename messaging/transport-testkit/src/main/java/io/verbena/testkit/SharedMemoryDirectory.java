// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of a test's own for lanes and sockets, in memory where the system has such a place.
 *
 * @param path where it is
 */
public record SharedMemoryDirectory(Path path) implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  /** Makes one. */
  public static SharedMemoryDirectory create() {
    try {
      return new SharedMemoryDirectory(
          Files.isDirectory(MEMORY)
              ? Files.createTempDirectory(MEMORY, "verbena-test-")
              : Files.createTempDirectory("verbena-test-"));
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for shared memory", e);
    }
  }

  /** The files in it and below. */
  public List<String> files() {
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(file -> !Files.isDirectory(file)).map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until there are no files any more, else fails naming them. */
  public void assertNoFiles() {
    Await.until(Await.LONG, () -> "files left: " + files(), () -> files().isEmpty());
  }

  /** Deletes it with all that is in it. */
  @Override
  public void close() {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException("files left in " + path, e);
    }
  }
}
