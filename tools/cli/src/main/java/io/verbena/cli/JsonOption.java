// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The file that a command also writes its results to. */
final class JsonOption {

  @Option(names = "--json", paramLabel = "FILE", description = "Also writes the results to a file.")
  private @Nullable Path file;

  @Nullable Path file() {
    return file;
  }

  /**
   * Checks the place of the file.
   *
   * @throws ParameterException if there is none, or a folder is there
   */
  void check(CommandLine command) {
    OutputFiles.checkFolderOf(command, file);
    if (file != null && Files.isDirectory(file)) {
      throw new ParameterException(command, "cannot write " + file + ": it is a folder");
    }
  }
}
