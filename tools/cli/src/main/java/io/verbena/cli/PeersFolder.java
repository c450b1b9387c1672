// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the peers are. */
final class PeersFolder {

  private PeersFolder() {}

  /** The source tree is where the peers are, and the launcher lies in it. */
  static Path find() throws IOException {
    Path folder = Path.of(System.getProperty("verbena.root", ".")).toAbsolutePath().normalize();
    for (Path root = folder; root != null; root = root.getParent()) {
      if (Files.isDirectory(root.resolve("tools/bench/peers"))) {
        return root.resolve("tools/bench/peers");
      }
    }
    throw new IOException(
        "there is no tools/bench/peers in " + folder + ": run it in the source tree");
  }
}
