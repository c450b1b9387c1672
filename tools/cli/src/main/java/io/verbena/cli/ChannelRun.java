// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.channel.ChannelBench;
import io.verbena.bench.channel.ChannelReport;
import io.verbena.bench.channel.ChannelResult;
import io.verbena.bench.plot.ComparePlots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures channels. */
final class ChannelRun extends BenchRun<ChannelResult> {

  private final CommandLine command;
  private final String commandLine;
  private final FabricOptions options;
  private final @Nullable Path mtcl;

  ChannelRun(CommandLine command, String commandLine, FabricOptions options, @Nullable Path mtcl) {
    super(command, options.json().file());
    this.command = command;
    this.commandLine = commandLine;
    this.options = options;
    this.mtcl = mtcl;
  }

  @Override
  ChannelResult measure(Progress progress, Consumer<ChannelResult> soFar)
      throws InterruptedException {
    try {
      return new ChannelBench(
              NativeTools.here().require("vbn-channel-perf", command.getErr()::println),
              PeersFolder.find(),
              options.device(),
              mtcl,
              options.isQuick(),
              ChannelBench.comparison(options.isQuick(), options.pairs()))
          .run(
              peer -> command.getErr().println("building " + peer + " if need be ..."),
              progress,
              soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  String text(Machine machine, ChannelResult result) {
    return ChannelReport.format(machine, result);
  }

  @Override
  String json(Machine machine, @Nullable ChannelResult result, boolean isComplete) {
    return result == null
        ? JsonReport.document(machine, commandLine, isComplete, results -> {})
        : ChannelReport.toJson(machine, commandLine, isComplete, result);
  }

  @Override
  void draw(ChannelResult result) throws IOException {
    PlotPlace place = options.plot().place();
    if (place != null) {
      ComparePlots.writeTogether(result.outcome(), place.folder(), place.prefix() + "channel-");
    }
  }

  @Override
  boolean isClean(ChannelResult result) {
    return result.outcome().isClean();
  }
}
