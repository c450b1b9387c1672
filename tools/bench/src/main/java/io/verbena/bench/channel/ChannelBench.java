// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.channel;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.CompareRun;
import io.verbena.bench.compare.Comparison;
import io.verbena.bench.compare.Contestants;
import io.verbena.bench.compare.League;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.figure.NativeFigures;
import io.verbena.bench.figure.Row;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures channels: beside bare memory by {@code vbn-channel-perf}, then beside peers, a round of
 * a channel and one of a peer in turn.
 *
 * @param tool vbn-channel-perf
 * @param peers the folder of the peers
 * @param device a verbs device's name
 * @param mtcl a checkout of MTCL; null to leave it out
 * @param isQuick whether rounds beside bare memory are short
 * @param comparison with peers
 */
public record ChannelBench(
    Tool tool,
    Path peers,
    String device,
    @Nullable Path mtcl,
    boolean isQuick,
    Comparison comparison) {

  private static final String CHANNEL = "channel";
  private static final String MTCL = "mtcl";

  /** Who stands in the tables of the paper, or in place of one who does. */
  private static final List<String> SYSTEMS =
      List.of(CHANNEL, "channel-copies", "zmq-tcp", "mpi-shm", "mpi-shm-w64", "verbs-write");

  private static final List<String> SYSTEMS_OF_MTCL = List.of("mtcl-tcp", "mtcl-verbena");

  /** The sizes of the paper's tables: from 10 bytes to 50,000, round trips to 400,000. */
  private static final List<Integer> SIZES =
      List.of(10, 100, 1_000, 10_000, 20_000, 50_000, 400_000);

  private static final List<Integer> QUICK_SIZES = List.of(1_000);

  /** So short a round tells enough of who has no compiler to wait for. */
  private static final double ROUND_SECONDS = 0.05;

  /** Of few contests: a machine that is busy besides leaves something to time in each. */
  private static final double QUICK_ROUND_SECONDS = 0.1;

  private static final double WARMUP_SECONDS = 1;
  private static final double QUICK_BUDGET_SECONDS = 40;

  /** What is compared with peers in how many pairs. */
  public static Comparison comparison(boolean isQuick, int pairs) {
    return new Comparison(
        List.of(Workload.LATENCY, Workload.THROUGHPUT),
        isQuick ? QUICK_SIZES : SIZES,
        isQuick ? QUICK_ROUND_SECONDS : ROUND_SECONDS,
        WARMUP_SECONDS,
        pairs,
        isQuick ? QUICK_BUDGET_SECONDS : Double.POSITIVE_INFINITY);
  }

  /**
   * Measures everything.
   *
   * @param onBuild is told the name of each peer before it is built
   * @param soFar is given what there is
   * @throws BenchException if there are no channels here
   * @throws IOException if peers cannot be read
   */
  public ChannelResult run(
      Consumer<String> onBuild, Progress progress, Consumer<ChannelResult> soFar)
      throws InterruptedException, IOException {
    Outcome outcome = new Outcome();
    List<Contestant> chosen = choose(onBuild, outcome);
    Contestant channel = channelAmong(chosen, outcome);
    ChannelResult result = new ChannelResult(besideBare(), comparison, outcome);
    soFar.accept(result);
    new CompareRun(
            comparison,
            chosen,
            List.of(League.of(channel)),
            progress,
            news -> soFar.accept(result),
            outcome)
        .run();
    return result;
  }

  private List<Contestant> choose(Consumer<String> onBuild, Outcome outcome)
      throws InterruptedException, IOException {
    List<String> systems = new ArrayList<>(SYSTEMS);
    if (mtcl == null) {
      outcome.add(new Skipped(MTCL, "no checkout of it is named: --mtcl DIR", ""));
    } else {
      systems.addAll(SYSTEMS_OF_MTCL);
    }
    String checkout = mtcl == null ? "" : mtcl.toAbsolutePath().toString();
    return Contestants.ofAllSuites(peers, Map.of("device", device, MTCL, checkout))
        .choose(new Contestants.Choice(List.of(), systems, false), onBuild, outcome);
  }

  private static Contestant channelAmong(List<Contestant> chosen, Outcome outcome) {
    return chosen.stream()
        .filter(one -> one.name().equals(CHANNEL))
        .findFirst()
        .orElseThrow(() -> new BenchException("no channels here: " + reasons(outcome)));
  }

  private static String reasons(Outcome outcome) {
    String skipped =
        outcome.skipped().stream().map(Skipped::text).collect(Collectors.joining("; "));
    String failed =
        outcome.failures().stream().map(Outcome.Failure::text).collect(Collectors.joining("; "));
    return failed.isEmpty() ? skipped : failed + "; " + skipped;
  }

  private List<Row> besideBare() throws InterruptedException {
    String[] words =
        isQuick ? new String[] {device, "--json", "--short"} : new String[] {device, "--json"};
    return NativeFigures.measure(tool, words).stream()
        .map(figure -> new Row(figure, ChannelReach.besideBare(figure)))
        .toList();
  }
}
