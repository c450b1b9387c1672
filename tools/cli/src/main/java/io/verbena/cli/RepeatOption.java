// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import picocli.CommandLine.Option;

/** How many rounds count. */
final class RepeatOption {

  @Option(
      names = "--repeat",
      paramLabel = "R",
      defaultValue = "5",
      description = "Counted rounds; least, median and greatest figures are reported.")
  private int rounds;

  int rounds() {
    return rounds;
  }
}
