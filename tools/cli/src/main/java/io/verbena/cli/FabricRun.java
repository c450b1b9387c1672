// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.fabric.FabricBench;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Rows;
import io.verbena.bench.plot.FigurePlots;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures one-sided memory. */
final class FabricRun extends BenchRun<List<Row>> {

  private final CommandLine command;
  private final String commandLine;
  private final FabricOptions options;

  FabricRun(CommandLine command, String commandLine, FabricOptions options) {
    super(command, options.json().file());
    this.command = command;
    this.commandLine = commandLine;
    this.options = options;
  }

  @Override
  List<Row> measure(Progress progress, Consumer<List<Row>> soFar) throws InterruptedException {
    return FabricBench.run(
        NativeTools.here().require("vbn-fabric-perf", command.getErr()::println),
        options.device(),
        options.pairs(),
        progress,
        soFar);
  }

  @Override
  String text(Machine machine, List<Row> rows) {
    return "one-sided operations between two processes, of which one sleeps; medians of rounds\n"
        + machine.describe()
        + "\n"
        + Rows.table(rows);
  }

  @Override
  String json(Machine machine, @Nullable List<Row> rows, boolean isComplete) {
    return JsonReport.document(
        machine,
        commandLine,
        isComplete,
        results -> Rows.put(results, "fabric", rows == null ? List.of() : rows));
  }

  @Override
  void draw(List<Row> rows) throws IOException {
    PlotPlace place = options.plot().place();
    if (place != null) {
      FigurePlots.write(
          rows, "One-sided operations", place.folder(), place.prefix() + "fabric-throughput");
    }
  }

  /** What failed has thrown. A reach that is missed says nothing about what was moved. */
  @Override
  boolean isClean(List<Row> rows) {
    return true;
  }
}
