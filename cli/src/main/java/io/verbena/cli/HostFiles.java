// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files in which a Linux host tells about itself.
 *
 * @param root {@code /}, or a folder that looks like it
 */
record HostFiles(Path root) {

  static HostFiles ofThisHost() {
    return new HostFiles(Path.of("/"));
  }

  /** The text of a file without white space around it; empty if it cannot be read. */
  Optional<String> text(String path) {
    try {
      return Optional.of(Files.readString(at(path)).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  boolean isWritableFolder(String path) {
    return Files.isDirectory(at(path)) && Files.isWritable(at(path));
  }

  /** How much can still be written below a folder. */
  long freeBytes(String path) {
    try {
      FileStore store = Files.getFileStore(at(path));
      return store.getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The soft limit of this name in {@code /proc/self/limits}; empty if it is not there. */
  Optional<String> limit(String name) {
    return text("proc/self/limits")
        .flatMap(text -> text.lines().filter(line -> line.startsWith(name)).findFirst())
        .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0]);
  }

  private Path at(String path) {
    return root.resolve(path);
  }
}
