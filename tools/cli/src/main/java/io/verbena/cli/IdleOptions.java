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

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "Node processes, all connected with each other.",
        "From 4 on tells what a connection takes of memory by the JVM's own count, too."
      })
  private int nodes;

  NodeOptions nodeOptions() {
    return roundOptions.nodeOptions();
  }

  /**
   * The plan these options make.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  BenchPlan plan() {
    return roundOptions.plan(Workload.IDLE).nodes(nodes).limit(Limit.ofSeconds(seconds)).build();
  }
}
