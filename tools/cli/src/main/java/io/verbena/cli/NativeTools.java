// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The native tools of this source tree. */
final class NativeTools {

  private static final Path FOLDER = Path.of("native", "target", "build", "bench");

  private NativeTools() {}

  /** Where a tool is; null where it is not built. */
  static @Nullable Path find(String name) {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path tool = folder.resolve(FOLDER).resolve(name);
      if (Files.isExecutable(tool)) {
        return tool;
      }
    }
    return null;
  }

  /**
   * A tool that has to be there.
   *
   * @throws BenchException if it is not built
   */
  static Tool require(String name) {
    Path tool = find(name);
    if (tool == null) {
      throw new BenchException(
          "%s is not built here: mvn -pl native verify builds it into %s".formatted(name, FOLDER));
    }
    return new Tool(tool);
  }
}
