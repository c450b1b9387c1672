// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where plots are written: there are several, each as PNG and SVG.
 *
 * @param folder exists
 * @param prefix of the files' names
 */
record PlotPlace(Path folder, String prefix) {

  /**
   * A name that ends like a picture's says how theirs begin; any other is a folder, made if new.
   */
  static PlotPlace of(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    if (isPicture(absolute)) {
      String name = String.valueOf(absolute.getFileName());
      Path parent = absolute.getParent();
      return new PlotPlace(
          parent == null ? Path.of(".") : parent, name.substring(0, name.length() - 4) + "-");
    }
    return new PlotPlace(Files.createDirectories(absolute), "");
  }

  /** Whether it is named like a picture. */
  static boolean isPicture(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.endsWith(".png") || name.endsWith(".svg");
  }
}
