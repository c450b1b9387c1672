// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.mpi.MpiBench;
import io.verbena.bench.mpi.MpiPlan;
import io.verbena.bench.mpi.MpiReport;
import io.verbena.bench.mpi.MpiResult;
import io.verbena.bench.plot.FigurePlots;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures MPI. */
final class MpiRun extends BenchRun<MpiResult> {

  private final CommandLine command;
  private final String commandLine;
  private final FabricOptions options;
  private final MpiPlan plan;

  MpiRun(CommandLine command, String commandLine, FabricOptions options, MpiPlan plan) {
    super(command, options.json().file());
    this.command = command;
    this.commandLine = commandLine;
    this.options = options;
    this.plan = plan;
  }

  @Override
  MpiResult measure(Progress progress, Consumer<MpiResult> soFar) throws InterruptedException {
    Path verbs = NativeTools.here().find("vbn-perf");
    try {
      return MpiBench.run(
          plan,
          PeersFolder.find(),
          verbs == null ? null : new Tool(verbs),
          peer -> command.getErr().println("building " + peer + " if need be ..."),
          progress,
          soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  String text(Machine machine, MpiResult result) {
    return MpiReport.format(machine, result);
  }

  @Override
  String json(Machine machine, @Nullable MpiResult result, boolean isComplete) {
    return result == null
        ? JsonReport.document(machine, commandLine, isComplete, results -> {})
        : MpiReport.toJson(machine, commandLine, isComplete, result);
  }

  @Override
  void draw(MpiResult result) throws IOException {
    PlotPlace place = options.plot().place();
    if (place != null) {
      FigurePlots.write(
          MpiReport.throughputs(result),
          "MPI, there and back over " + plan.transport(),
          place.folder(),
          place.prefix() + "mpi-throughput");
    }
  }

  @Override
  boolean isClean(MpiResult result) {
    return result.isClean();
  }
}
