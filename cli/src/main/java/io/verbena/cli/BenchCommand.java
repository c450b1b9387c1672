// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.Bench;
import io.verbena.bench.BenchResult;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.TextReport;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena bench …}. */
@Command(
    name = "bench",
    description = "Measures rates and round trips between node processes; checks every message.",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to measure: throughput, latency, alltoall or idle");
  }

  @Command(
      name = "throughput",
      description = "One way: the rate at which the receiver takes messages.",
      mixinStandardHelpOptions = true)
  int throughput(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.THROUGHPUT, options);
  }

  @Command(
      name = "latency",
      description = "Requests and replies as objects, one at a time in each thread.",
      mixinStandardHelpOptions = true)
  int latency(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.LATENCY, options);
  }

  @Command(
      name = "alltoall",
      description = "Every node sends to every other; rates are sums over nodes.",
      mixinStandardHelpOptions = true)
  int allToAll(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.ALLTOALL, options);
  }

  @Command(
      name = "idle",
      description = "Processor time of connected nodes that have nothing to do.",
      mixinStandardHelpOptions = true)
  int idle(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.IDLE, options);
  }

  private int measure(Workload workload, BenchOptions options)
      throws InterruptedException, IOException {
    BenchPlan plan = plan(workload, options);
    List<BenchResult> results;
    try (TerminalProgress progress = TerminalProgress.open()) {
      results = Bench.run(plan, progress);
    }
    report(results, options);
    boolean isClean = results.stream().allMatch(result -> result.tally().isClean());
    return isClean ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private BenchPlan plan(Workload workload, BenchOptions options) {
    String name = workload.name().toLowerCase(Locale.ROOT);
    CommandLine command = Objects.requireNonNull(spec.subcommands().get(name));
    TransportName.check(command, options.transport());
    checkFolder(command, options.json());
    try {
      return options.plan(workload);
    } catch (IllegalArgumentException | ConfigException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  /** To miss it after minutes of measuring would be late. */
  private static void checkFolder(CommandLine command, @Nullable Path json) {
    if (json == null) {
      return;
    }
    Path folder = json.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new ParameterException(
          command, "cannot write " + json + ": there is no folder " + folder);
    }
  }

  private void report(List<BenchResult> results, BenchOptions options) throws IOException {
    Machine machine = Machine.current();
    spec.commandLine().getOut().print(TextReport.format(machine, results));
    spec.commandLine().getOut().flush();
    if (options.json() != null) {
      String command = String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
      JsonReport.write(options.json(), machine, "verbena " + command, results);
    }
  }
}
