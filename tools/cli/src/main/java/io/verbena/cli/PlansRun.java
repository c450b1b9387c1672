// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Bench;
import io.verbena.bench.BenchResult;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.TextReport;
import io.verbena.bench.plan.BenchPlan;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures plans one after the other. */
final class PlansRun extends BenchRun<List<BenchResult>> {

  private final String commandLine;
  private final List<BenchPlan> plans;

  PlansRun(CommandLine command, String commandLine, NodeOptions options, List<BenchPlan> plans) {
    super(command, options.json());
    this.commandLine = commandLine;
    this.plans = plans;
  }

  @Override
  List<BenchResult> measure(Progress progress, Consumer<List<BenchResult>> soFar)
      throws InterruptedException {
    return Bench.run(plans, progress, soFar);
  }

  @Override
  String text(Machine machine, List<BenchResult> results) {
    return TextReport.format(machine, results);
  }

  @Override
  String json(Machine machine, @Nullable List<BenchResult> results, boolean isComplete) {
    return JsonReport.format(
        machine, commandLine, isComplete, results == null ? List.of() : results);
  }

  @Override
  boolean isClean(List<BenchResult> results) {
    return results.stream().allMatch(result -> result.tally().isClean());
  }
}
