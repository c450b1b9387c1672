// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where {@code verbena-run} is. */
public final class RankLauncher {

  /** The property that names it; without, it is looked for in the source tree. */
  public static final String PROPERTY = "verbena.run";

  private static final Path BUILT = Path.of("native", "target", "build", "bin", "verbena-run");

  private RankLauncher() {}

  /**
   * The program.
   *
   * @throws BenchException if it is not built
   */
  public static Path path() {
    String named = System.getProperty(PROPERTY);
    if (named != null && Files.isExecutable(Path.of(named))) {
      return Path.of(named);
    }
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve(BUILT))) {
        return folder.resolve(BUILT);
      }
    }
    throw new BenchException(
        "ranks and processes on other hosts are started by verbena-run, which is not built here: "
            + "'mvn -pl native verify' builds it into "
            + BUILT);
  }
}
