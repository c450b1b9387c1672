// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.plot.FigurePlots;
import io.verbena.bench.shmem.ShmemBench;
import io.verbena.bench.shmem.ShmemReport;
import io.verbena.bench.shmem.ShmemResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures OpenSHMEM. */
final class ShmemRun extends BenchRun<ShmemResult> {

  private final CommandLine command;
  private final String commandLine;
  private final FabricOptions options;

  ShmemRun(CommandLine command, String commandLine, FabricOptions options) {
    super(command, options.json().file());
    this.command = command;
    this.commandLine = commandLine;
    this.options = options;
  }

  @Override
  ShmemResult measure(Progress progress, Consumer<ShmemResult> soFar) throws InterruptedException {
    try {
      NativeTools tools = NativeTools.here();
      return ShmemBench.run(
          tools.require("shmem-speed", command.getErr()::println),
          tools.require("shmem-socket", command.getErr()::println),
          options.device(),
          PeersFolder.find(),
          options.pairs(),
          peer -> command.getErr().println("building " + peer + " if need be ..."),
          progress,
          soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  String text(Machine machine, ShmemResult result) {
    return ShmemReport.format(machine, result);
  }

  @Override
  String json(Machine machine, @Nullable ShmemResult result, boolean isComplete) {
    return result == null
        ? JsonReport.document(machine, commandLine, isComplete, results -> {})
        : ShmemReport.toJson(machine, commandLine, isComplete, result);
  }

  @Override
  void draw(ShmemResult result) throws IOException {
    PlotPlace place = options.plot().place();
    if (place != null) {
      FigurePlots.write(
          ShmemReport.throughputs(result),
          "OpenSHMEM, two PEs of one host",
          place.folder(),
          place.prefix() + "shmem-throughput");
    }
  }

  @Override
  boolean isClean(ShmemResult result) {
    return result.isClean();
  }
}
