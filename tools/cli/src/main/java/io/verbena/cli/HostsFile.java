// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A file of hosts, as {@code --hosts} names it. What stands in it is {@code verbena-run}'s. */
final class HostsFile {

  private HostsFile() {}

  /**
   * Checks that it can be read.
   *
   * @throws ParameterException if it cannot
   */
  static void check(CommandLine command, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      throw new ParameterException(command, "--hosts: " + file + " cannot be read");
    }
  }
}
