// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.MemoryUse;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Carries out {@link BenchPlan plans}. */
public final class Bench {

  private static final Limit ONE_MESSAGE = Limit.ofMessages(1);

  private static final int WARMUP_ROUNDS = 8;

  private final Progress progress;
  private final Consumer<List<BenchResult>> soFar;
  private final List<BenchResult> results = new ArrayList<>();

  Bench(Progress progress, Consumer<List<BenchResult>> soFar) {
    this.progress = progress;
    this.soFar = soFar;
  }

  /**
   * Runs a plan: new node processes for each size, a warm-up, then the rounds that count.
   *
   * @throws BenchException if a node fails; no node process is left behind
   */
  public static List<BenchResult> run(BenchPlan plan, Progress progress)
      throws InterruptedException {
    return run(List.of(plan), progress, results -> {});
  }

  /**
   * Runs plans one after the other.
   *
   * @param soFar is given all results after each round; the last of them may have fewer rounds than
   *     planned
   * @throws BenchException if a node fails; no node process is left behind
   */
  public static List<BenchResult> run(
      List<BenchPlan> plans, Progress progress, Consumer<List<BenchResult>> soFar)
      throws InterruptedException {
    progress.begins(rounds(plans));
    return new Bench(progress, soFar).measure(plans);
  }

  /** How many rounds plans have, warm-ups included. */
  static int rounds(List<BenchPlan> plans) {
    return plans.stream().mapToInt(plan -> plan.sizes().size() * (1 + plan.repeat())).sum();
  }

  /** Measures more plans; returns the results of these. */
  List<BenchResult> measure(List<BenchPlan> plans) throws InterruptedException {
    int before = results.size();
    for (BenchPlan plan : plans) {
      for (int size : plan.sizes()) {
        results.add(measure(plan, size));
      }
    }
    return List.copyOf(results.subList(before, results.size()));
  }

  /** All results so far. */
  List<BenchResult> results() {
    return List.copyOf(results);
  }

  private BenchResult measure(BenchPlan plan, int size) throws InterruptedException {
    String name = plan.name() + " " + SizeText.format(size);
    progress.roundBegins(name + " warm-up");
    try (Cluster cluster = Cluster.start(plan, size)) {
      boolean isIdle = plan.workload() == Workload.IDLE;
      Tally greetings = isIdle ? cluster.meetSome() : Tally.NONE;
      // One message connects the nodes before anything is timed.
      Round connecting = cluster.round(Limit.ofMessages((long) plan.nodes() * plan.threads()));
      Tally before = greetings.plus(connecting.tally()).plus(warmUp(plan, cluster));
      ConnectionMemory memory = null;
      if (isIdle) {
        // What a JVM makes once for all connections is there by now.
        List<MemoryUse> few = cluster.memory();
        before = before.plus(cluster.meetAll());
        memory = ConnectionMemory.of(few, cluster.memory(), plan.system().isInOneProcess());
      }
      Line links = cluster.links();
      progress.roundEnds();
      List<Round> rounds = new ArrayList<>();
      BenchResult result;
      do {
        progress.roundBegins(name + " round " + (rounds.size() + 1));
        rounds.add(round(plan, cluster));
        result =
            BenchResult.of(
                plan, size, links.text("transport"), links.text("reason"), before, rounds, memory);
        tell(result);
        progress.roundEnds();
      } while (rounds.size() < plan.repeat());
      return result;
    }
  }

  private void tell(BenchResult latest) {
    List<BenchResult> all = new ArrayList<>(results);
    all.add(latest);
    soFar.accept(List.copyOf(all));
  }

  private static Round round(BenchPlan plan, Cluster cluster) throws InterruptedException {
    return plan.workload() == Workload.IDLE
        ? idleRound(plan, cluster)
        : cluster.round(plan.limit());
  }

  /**
   * Several rounds: what happens only when a round begins or ends is code that the compiler has not
   * seen in the first of them. When it comes, what was compiled without it is thrown away.
   */
  private static Tally warmUp(BenchPlan plan, Cluster cluster) throws InterruptedException {
    double seconds = plan.warmupSeconds() / WARMUP_ROUNDS;
    Limit limit = seconds == 0 ? ONE_MESSAGE : Limit.ofSeconds(seconds);
    Tally tally = Tally.NONE;
    for (int i = 0; i < (seconds == 0 ? 1 : WARMUP_ROUNDS); i++) {
      tally = tally.plus(cluster.round(limit).tally());
    }
    return tally;
  }

  /** Does nothing for the time of a round, then sends one request. */
  private static Round idleRound(BenchPlan plan, Cluster cluster) throws InterruptedException {
    double percent = cluster.restingPercent(Duration.ofNanos(plan.limit().nanos()));
    return cluster.round(ONE_MESSAGE).withCpuPercent(percent);
  }
}
