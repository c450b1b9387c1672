// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of what is measured of one-sided memory, of channels and of MPI. */
final class FabricOptions {

  private static final int PAIRS = 15;
  private static final int QUICK_PAIRS = 6; // with fewer a median ratio has no interval

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "softnic",
      description = "The verbs device.")
  private String device = "softnic";

  @Option(
      names = "--quick",
      description = "Within a minute: fewer pairs of rounds, of channels one size, of MPI few.")
  private boolean isQuick;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      description = "Pairs of rounds; default: 15, with --quick 6.")
  private @Nullable Integer pairs;

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private PlotOption plot = new PlotOption();

  String device() {
    return device;
  }

  boolean isQuick() {
    return isQuick;
  }

  int pairs() {
    return pairs != null ? pairs : isQuick ? QUICK_PAIRS : PAIRS;
  }

  JsonOption json() {
    return json;
  }

  PlotOption plot() {
    return plot;
  }

  /** Checks the number, and where results are to be written. */
  void check(CommandLine command) {
    if (pairs() < 1 || pairs() > 1000) {
      throw new ParameterException(command, "--pairs " + pairs() + ": expected 1 to 1000");
    }
    json.check(command);
    plot.check(command);
  }
}
