// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where a command also draws its results. */
final class PlotOption {

  @Option(
      names = "--plot",
      paramLabel = "FOLDER|FILE",
      description =
          "Also draws the results: PNG and SVG into a folder, or with the file's name before theirs.")
  private @Nullable Path path;

  /**
   * Checks it before anything is measured.
   *
   * @throws ParameterException if the folder it is to lie in is not there, or a file is where the
   *     folder is to be
   */
  void check(CommandLine command) {
    OutputFiles.checkFolderOf(command, path);
    if (path != null && !PlotPlace.isPicture(path) && Files.isRegularFile(path)) {
      throw new ParameterException(
          command, "cannot draw into " + path + ": it is a file, and no .png or .svg");
    }
  }

  /** Where the plots go; null if none are wanted. Makes the folder. */
  @Nullable PlotPlace place() throws IOException {
    return path == null ? null : PlotPlace.of(path);
  }
}
