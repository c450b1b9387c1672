// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.BenchResult;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.MatrixBench;
import io.verbena.bench.Progress;
import io.verbena.bench.TextReport;
import io.verbena.bench.plot.MatrixPlots;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures a matrix for one system after the other. */
final class MatrixRun extends BenchRun<List<BenchResult>> {

  private final String commandLine;
  private final PlotOption plot;
  private final MatrixBench matrix;
  private final Systems systems;

  MatrixRun(
      CommandLine command,
      String commandLine,
      MatrixOptions options,
      MatrixBench matrix,
      Systems systems) {
    super(command, options.json());
    this.commandLine = commandLine;
    this.plot = options.plot();
    this.matrix = matrix;
    this.systems = systems;
  }

  @Override
  List<BenchResult> measure(Progress progress, Consumer<List<BenchResult>> soFar)
      throws InterruptedException {
    return matrix.run(systems.usable(), progress, soFar);
  }

  @Override
  String text(Machine machine, List<BenchResult> results) {
    String skipped =
        systems.leftOut().stream()
            .map(one -> "skipped %s: %s%n".formatted(one.system(), one.reason()))
            .collect(Collectors.joining());
    return skipped + TextReport.format(machine, results);
  }

  @Override
  String json(Machine machine, @Nullable List<BenchResult> results, boolean isComplete) {
    return JsonReport.format(
        machine, commandLine, isComplete, results == null ? List.of() : results, systems.leftOut());
  }

  @Override
  void draw(List<BenchResult> results) throws IOException {
    PlotPlace place = plot.place();
    if (place != null) {
      MatrixPlots.write(results, place.folder(), place.prefix());
    }
  }

  @Override
  boolean isClean(List<BenchResult> results) {
    return results.stream().allMatch(result -> result.tally().isClean());
  }
}
