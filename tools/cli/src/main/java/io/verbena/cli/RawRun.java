// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.raw.Raw;
import io.verbena.bench.raw.RawReport;
import io.verbena.bench.raw.RawResult;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures the baselines. */
final class RawRun extends BenchRun<List<RawResult>> {

  private final String commandLine;
  private final RawOptions options;
  private final @Nullable Path verbsTool = NativeTools.here().find("vbn-perf");

  RawRun(CommandLine command, String commandLine, RawOptions options) {
    super(command, options.json().file());
    this.commandLine = commandLine;
    this.options = options;
  }

  @Override
  List<RawResult> measure(Progress progress, Consumer<List<RawResult>> soFar)
      throws InterruptedException {
    return Raw.run(
        verbsTool, options.device(), options.seconds(), options.repeat(), progress, soFar);
  }

  @Override
  String text(Machine machine, List<RawResult> results) {
    String verbs =
        verbsTool == null
            ? "vbn-perf is not built here: nothing was measured on verbs; '"
                + NativeTools.command("vbn-perf")
                + "' builds it\n"
            : "";
    return RawReport.format(machine, results) + verbs;
  }

  @Override
  String json(Machine machine, @Nullable List<RawResult> results, boolean isComplete) {
    return RawReport.toJson(
        machine, commandLine, isComplete, results == null ? List.of() : results);
  }

  /** A baseline that was wrong has thrown. */
  @Override
  boolean isClean(List<RawResult> results) {
    return true;
  }
}
