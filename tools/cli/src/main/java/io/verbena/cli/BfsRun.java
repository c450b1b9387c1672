// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.bfs.Bfs;
import io.verbena.bench.bfs.BfsPlan;
import io.verbena.bench.bfs.BfsReport;
import io.verbena.bench.bfs.BfsResult;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures a breadth-first search. */
final class BfsRun extends BenchRun<BfsResult> {

  private final String commandLine;
  private final BfsPlan plan;

  BfsRun(CommandLine command, String commandLine, BfsOptions options, BfsPlan plan) {
    super(command, options.nodeOptions().json());
    this.commandLine = commandLine;
    this.plan = plan;
  }

  @Override
  BfsResult measure(Progress progress, Consumer<BfsResult> soFar) throws InterruptedException {
    return Bfs.run(plan, progress, soFar);
  }

  @Override
  String text(Machine machine, BfsResult result) {
    return BfsReport.format(machine, result);
  }

  @Override
  String json(Machine machine, @Nullable BfsResult result, boolean isComplete) {
    return result == null
        ? JsonReport.document(machine, commandLine, isComplete, results -> {})
        : BfsReport.toJson(machine, commandLine, result);
  }

  @Override
  boolean isClean(BfsResult result) {
    return result.isValid();
  }
}
