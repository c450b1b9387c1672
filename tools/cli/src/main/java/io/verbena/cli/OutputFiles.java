// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Files that are written when a long run is over: to miss their folder then would be late. */
final class OutputFiles {

  private OutputFiles() {}

  static void checkFolderOf(CommandLine command, @Nullable Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new ParameterException(
          command, "cannot write " + file + ": there is no folder " + folder);
    }
  }
}
