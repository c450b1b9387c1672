// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.kv.KvBench;
import io.verbena.bench.kv.KvPlan;
import io.verbena.bench.kv.KvReport;
import io.verbena.bench.kv.KvResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Measures stores. */
final class KvRun extends BenchRun<KvResult> {

  private final CommandLine command;
  private final String commandLine;
  private final KvPlan plan;

  KvRun(CommandLine command, String commandLine, KvPlan plan, @Nullable Path json) {
    super(command, json);
    this.command = command;
    this.commandLine = commandLine;
    this.plan = plan;
  }

  @Override
  KvResult measure(Progress progress, Consumer<KvResult> soFar) throws InterruptedException {
    try {
      return KvBench.run(
          plan,
          PeersFolder.find(),
          peer -> command.getErr().println("building " + peer + " if need be ..."),
          progress,
          soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  String text(Machine machine, KvResult result) {
    return KvReport.format(machine, plan, result);
  }

  @Override
  String json(Machine machine, @Nullable KvResult result, boolean isComplete) {
    return result == null
        ? JsonReport.document(machine, commandLine, isComplete, results -> {})
        : KvReport.toJson(machine, commandLine, isComplete, result);
  }

  @Override
  boolean isClean(KvResult result) {
    return result.isClean();
  }
}
