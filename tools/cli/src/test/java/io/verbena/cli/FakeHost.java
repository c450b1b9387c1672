// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that looks like the root of a host, with nothing in it at first. */
record FakeHost(Path root) {

  HostFiles files() {
    return new HostFiles(root);
  }

  void file(String path, String text) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void folder(String path) {
    try {
      Files.createDirectories(root.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line of the limits of this process. */
  void limits(String line) {
    file(
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + line
            + "\n");
  }
}
