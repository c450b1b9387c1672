// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.Bench;
import io.verbena.bench.BenchResult;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.TextReport;
import io.verbena.bench.bfs.Bfs;
import io.verbena.bench.bfs.BfsPlan;
import io.verbena.bench.bfs.BfsReport;
import io.verbena.bench.bfs.BfsResult;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
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
        spec.commandLine(), "Say what to measure: throughput, latency, alltoall, idle or bfs");
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

  @Command(
      name = "bfs",
      description = {
        "Graph500's breadth-first search over node processes that exchange vertex messages of 16",
        "bytes; every tree is validated."
      },
      mixinStandardHelpOptions = true)
  int bfs(@Mixin BfsOptions options) throws InterruptedException, IOException {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get("bfs"));
    options.nodeOptions().check(command);
    BfsPlan plan = acceptable(command, options::plan);
    BfsResult result;
    try (TerminalProgress progress = TerminalProgress.open()) {
      result = Bfs.run(plan, progress, soFar -> {});
    }
    Machine machine = Machine.current();
    print(BfsReport.format(machine, result));
    write(options.nodeOptions(), BfsReport.toJson(machine, commandLine(), result));
    return result.isValid() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
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
    options.nodeOptions().check(command);
    return acceptable(command, () -> options.plan(workload));
  }

  private static <T> T acceptable(CommandLine command, Supplier<T> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException | ConfigException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  private void report(List<BenchResult> results, BenchOptions options) throws IOException {
    Machine machine = Machine.current();
    print(TextReport.format(machine, results));
    write(options.nodeOptions(), JsonReport.format(machine, commandLine(), results));
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  private static void write(NodeOptions options, String json) throws IOException {
    if (options.json() != null) {
      Files.writeString(options.json(), json);
    }
  }

  private String commandLine() {
    return "verbena " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }
}
