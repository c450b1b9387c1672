// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.WaitKind;
import io.verbena.bench.plan.Workload;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all workloads share which measure nodes in rounds. */
final class RoundOptions {

  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  @Option(
      names = "--wait",
      paramLabel = "adaptive|spin|block",
      defaultValue = "adaptive",
      description = "How receiving threads wait.")
  private WaitKind wait = WaitKind.ADAPTIVE;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      defaultValue = "2",
      description = "Seconds before the first counted round.")
  private double warmupSeconds;

  @Mixin private RepeatOption repeat = new RepeatOption();

  NodeOptions nodeOptions() {
    return nodeOptions;
  }

  /** Starts the plan of a workload. */
  BenchPlan.Builder plan(Workload workload) {
    return BenchPlan.builder(workload)
        .system(nodeOptions.system())
        .waiting(wait)
        .warmupSeconds(warmupSeconds)
        .repeat(repeat.rounds());
  }
}
