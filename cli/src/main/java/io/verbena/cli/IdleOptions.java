// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.WaitKind;
import io.verbena.bench.plan.Workload;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of nodes that have nothing to do. */
final class IdleOptions {

  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  @Option(
      names = "--wait",
      paramLabel = "adaptive|spin|block",
      defaultValue = "adaptive",
      description = "How receiving threads wait.")
  private WaitKind wait = WaitKind.ADAPTIVE;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds of a round in which nothing is sent; one request ends it.")
  private double seconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds of requests before the first round.")
  private double warmupSeconds;

  @Option(
      names = "--repeat",
      paramLabel = "R",
      defaultValue = "5",
      description = "Counted rounds; least, median and greatest figures are reported.")
  private int repeat;

  NodeOptions nodeOptions() {
    return nodeOptions;
  }

  /**
   * The plan these options make.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  BenchPlan plan() {
    return BenchPlan.builder(Workload.IDLE)
        .transport(nodeOptions.transport())
        .settings(nodeOptions.settings())
        .jvmOptions(nodeOptions.jvmOptions())
        .waiting(wait)
        .limit(Limit.ofSeconds(seconds))
        .warmupSeconds(warmupSeconds)
        .repeat(repeat)
        .build();
  }
}
