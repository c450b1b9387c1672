// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.Line;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Carries out a {@link BenchPlan}. */
public final class Bench {

  private static final Limit ONE_MESSAGE = Limit.ofMessages(1);

  private final BenchPlan plan;
  private final Progress progress;

  private Bench(BenchPlan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs a plan: new node processes for each size, a warm-up, then the rounds that count.
   *
   * @throws BenchException if a node fails; no node process is left behind
   */
  public static List<BenchResult> run(BenchPlan plan, Progress progress)
      throws InterruptedException {
    return new Bench(plan, progress).runAll();
  }

  private List<BenchResult> runAll() throws InterruptedException {
    progress.begins(plan.sizes().size() * (1 + plan.repeat()));
    List<BenchResult> results = new ArrayList<>();
    for (int size : plan.sizes()) {
      results.add(measure(size));
    }
    return results;
  }

  private BenchResult measure(int size) throws InterruptedException {
    progress.roundBegins(SizeText.format(size) + " warm-up");
    try (Cluster cluster = Cluster.start(plan, size)) {
      // One message connects the nodes before anything is timed.
      cluster.round(Limit.ofMessages((long) plan.nodes() * plan.threads()));
      Round warmup = cluster.round(warmupLimit());
      Line links = cluster.links();
      progress.roundEnds();
      List<Round> rounds = new ArrayList<>();
      for (int i = 1; i <= plan.repeat(); i++) {
        progress.roundBegins(SizeText.format(size) + " round " + i);
        rounds.add(
            plan.workload() == Workload.IDLE ? idleRound(cluster) : cluster.round(plan.limit()));
        progress.roundEnds();
      }
      return BenchResult.of(
          plan, size, links.text("transport"), links.text("reason"), warmup, rounds);
    }
  }

  private Limit warmupLimit() {
    return plan.warmupSeconds() == 0 ? ONE_MESSAGE : Limit.ofSeconds(plan.warmupSeconds());
  }

  /** Does nothing for the time of a round, then sends one request. */
  private Round idleRound(Cluster cluster) throws InterruptedException {
    double percent = cluster.restingPercent(Duration.ofNanos(plan.limit().nanos()));
    return cluster.round(ONE_MESSAGE).withCpuPercent(percent);
  }
}
