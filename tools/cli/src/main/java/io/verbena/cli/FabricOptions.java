// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of what is measured of one-sided memory and of channels. */
final class FabricOptions {

  private static final int PAIRS = 15;
  private static final int QUICK_PAIRS = 6; // with fewer a median ratio has no interval

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "softnic",
      description = "The verbs device.")
  private String device = "softnic";

  @Option(names = "--quick", description = "Fewer pairs of rounds, within a minute.")
  private boolean isQuick;

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private PlotOption plot = new PlotOption();

  String device() {
    return device;
  }

  boolean isQuick() {
    return isQuick;
  }

  int pairs() {
    return isQuick ? QUICK_PAIRS : PAIRS;
  }

  JsonOption json() {
    return json;
  }

  PlotOption plot() {
    return plot;
  }

  /** Checks where results are to be written. */
  void check(CommandLine command) {
    json.check(command);
    plot.check(command);
  }
}
