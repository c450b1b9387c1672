// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.Workload;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of nodes that have nothing to do. */
final class IdleOptions {

  @Mixin private RoundOptions roundOptions = new RoundOptions();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds of a round in which nothing is sent; one request ends it.")
  private double seconds;

  NodeOptions nodeOptions() {
    return roundOptions.nodeOptions();
  }

  /**
   * The plan these options make.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  BenchPlan plan() {
    return roundOptions.plan(Workload.IDLE).limit(Limit.ofSeconds(seconds)).build();
  }
}
