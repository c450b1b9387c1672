// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the baselines. */
final class RawOptions {

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "softnic",
      description = "The verbs device that vbn-perf measures, where it is built.")
  private String device = "softnic";

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.5",
      description = "Seconds of a round; one more warms up.")
  private double seconds;

  @Mixin private RepeatOption repeat = new RepeatOption();

  @Mixin private JsonOption json = new JsonOption();

  String device() {
    return device;
  }

  double seconds() {
    return seconds;
  }

  int repeat() {
    return repeat.rounds();
  }

  JsonOption json() {
    return json;
  }

  /** Checks the numbers. */
  RawOptions checked() {
    if (!(seconds > 0 && seconds <= 3600) || repeat() < 1 || repeat() > 1000) {
      throw new IllegalArgumentException(
          "--seconds "
              + seconds
              + " --repeat "
              + repeat()
              + ": expected up to 3600, and 1 to 1000");
    }
    return this;
  }
}
