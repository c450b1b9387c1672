// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonFile;
import io.verbena.bench.Machine;
import io.verbena.bench.compare.CompareJson;
import io.verbena.bench.compare.CompareRun;
import io.verbena.bench.compare.CompareText;
import io.verbena.bench.compare.Comparison;
import io.verbena.bench.compare.Contestants;
import io.verbena.bench.compare.League;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.VerbenaContestant;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.plot.ComparePlots;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena compare}. */
@Command(
    name = "compare",
    description = "Measures Verbena and its peers on the same work, round by round in turn.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "  0:something was measured, nobody failed, and every message that was checked was right;"
          + " peers that are not installed, or cannot be built here, are skipped",
      "  1:messages went wrong, a contestant failed, a peer does not compile, or one that was asked"
          + " for by name is not there",
      "  2:the command line is wrong",
      "130:ended by Ctrl-C; what was finished is reported"
    })
final class CompareCommand implements Callable<Integer> {

  private static final List<String> QUICK_SIZES = List.of("64", "64K");
  private static final List<String> ALL_SIZES =
      List.of("1", "2", "4", "8", "64", "256", "1K", "4K", "16K", "64K", "256K", "1M");

  /** With building and drawing it stays within ten minutes. */
  private static final double QUICK_SECONDS = 570;

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "Within ten minutes: two sizes, and the systems that a newcomer asks about.")
  private boolean isQuick;

  @Option(
      names = "--peers",
      paramLabel = "LIST",
      split = ",",
      showDefaultValue = Help.Visibility.NEVER,
      description =
          "Peers, that is folders under tools/bench/peers; none for Verbena alone; default: all that are installed and can be built here.")
  private List<String> peers = List.of();

  @Option(
      names = "--systems",
      paramLabel = "LIST",
      split = ",",
      showDefaultValue = Help.Visibility.NEVER,
      description = "Only these lines of the tables, such as aeron-ipc,verbena-shm-view.")
  private List<String> systems = List.of();

  @Option(
      names = "--workload",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "throughput,latency",
      showDefaultValue = Help.Visibility.ALWAYS,
      description = "throughput, latency or both.")
  private List<Workload> workloads = List.of();

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      split = ",",
      description = "Bytes of a message's body; default: 1 to 1M, with --quick 64,64K.")
  private @Nullable List<String> sizes;

  @Option(names = "--seconds", paramLabel = "S", description = "Of a round.")
  private double seconds = 0.2;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      description =
          "Seconds before the first counted round, at the most: it counts when compilers are done and two in a row agree.")
  private double warmup = 20;

  @Option(names = "--repeat", paramLabel = "R", description = "Pairs of rounds.")
  private int repeat = 21;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "All it may take; who has no time to warm up in it is left out; default: no limit, or 9.5.")
  private @Nullable Double minutes;

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private PlotOption plot = new PlotOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Comparison comparison = comparison();
    Contestants all = Contestants.in(PeersFolder.find());
    check(all);
    Outcome outcome = new Outcome();
    Machine machine = Machine.current();
    List<Contestant> chosen = all.choose(choice(), this::tellBuild, outcome);
    outcome.skipped().forEach(one -> err().println("skipped: " + one.text()));
    outcome.failures().forEach(one -> err().println("FAILED: " + one.text()));
    try (Interruption _ = Interruption.watch()) {
      try {
        compare(machine, comparison, chosen, outcome);
      } finally {
        report(machine, comparison, outcome);
      }
    }
    if (!outcome.isComplete()) {
      return BenchRun.INTERRUPTED;
    }
    return outcome.isClean() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private void compare(
      Machine machine, Comparison comparison, List<Contestant> chosen, Outcome outcome) {
    try (TerminalProgress progress = TerminalProgress.open()) {
      CompareRun run =
          new CompareRun(
              comparison,
              chosen,
              League.ofWires(VerbenaContestant::baseline),
              progress,
              news -> writeJson(machine, comparison, news),
              outcome);
      tellLength(run);
      run.run();
    } catch (InterruptedException e) {
      Thread.interrupted(); // what is to be written now is not to be interrupted
      err().println("verbena: interrupted; what is finished is reported");
    }
  }

  private Comparison comparison() {
    List<String> chosen = sizes != null ? sizes : isQuick ? QUICK_SIZES : ALL_SIZES;
    try {
      return new Comparison(
          workloads,
          chosen.stream().map(SizeText::parse).toList(),
          seconds,
          warmup,
          repeat,
          minutes != null ? minutes * 60 : isQuick ? QUICK_SECONDS : Double.POSITIVE_INFINITY);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Contestants.Choice choice() {
    return Contestants.Choice.of(peers, systems, isQuick);
  }

  private void check(Contestants all) {
    json.check(spec.commandLine());
    plot.check(spec.commandLine());
    try {
      all.check(choice());
      workloads.forEach(workload -> new Contest(workload, 64));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void tellBuild(String peer) {
    err().println("building " + peer + " if need be ...");
  }

  private void tellLength(CompareRun run) {
    int contests = run.pairings();
    long minutes = Math.max(1, (long) Math.ceil(run.estimatedSeconds() / 60));
    err()
        .println(
            "%d contest%s of two systems, about %d minute%s"
                .formatted(contests, contests == 1 ? "" : "s", minutes, minutes == 1 ? "" : "s"));
  }

  private void writeJson(Machine machine, Comparison comparison, Outcome outcome) {
    Path file = json.file();
    if (file != null) {
      try {
        JsonFile.write(file, CompareJson.format(machine, Main.typed(spec), comparison, outcome));
      } catch (ClosedByInterruptException e) {
        // The run is about to end: then the file is written again.
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + file, e);
      }
    }
  }

  private void report(Machine machine, Comparison comparison, Outcome outcome) throws IOException {
    spec.commandLine().getOut().print(CompareText.format(machine, comparison, outcome));
    spec.commandLine().getOut().flush();
    writeJson(machine, comparison, outcome);
    PlotPlace place = plot.place();
    if (place != null) {
      ComparePlots.write(outcome, place.folder(), place.prefix());
    }
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
