// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.Scratch;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures MPI: each side is a job of its own that is kept while others have their rounds, and
 * sleeps meanwhile. All have a round of each thing in turn, the next time in the opposite order.
 *
 * <p>A wrong answer of ours ends the run, and one of a peer its part in it.
 */
public final class MpiBench {

  private static final int MOST_CALLS = 10_000;
  private static final int LEAST_CALLS = 5;
  private static final int GROWTH = 4;
  private static final int MOST_WARM_UPS = 10;

  /** Compilers that use less of a processor have compiled what matters. */
  private static final double COMPILER_SHARE = 0.03;

  private final MpiPlan plan;
  private final Sides sides;
  private final Progress progress;
  private final Consumer<MpiResult> soFar;
  private final List<MpiResult.Series> series = new ArrayList<>();
  private final List<Skipped> skipped;
  private final List<String> failures = new ArrayList<>();

  private MpiBench(
      MpiPlan plan,
      Sides sides,
      List<Skipped> skipped,
      Progress progress,
      Consumer<MpiResult> soFar) {
    this.plan = plan;
    this.sides = sides;
    this.skipped = skipped;
    this.progress = progress;
    this.soFar = soFar;
  }

  /**
   * Measures everything.
   *
   * @param peers the folder of the peers
   * @param verbs vbn-perf; null where it is not built
   * @param onBuild is told the name of each peer before it is built
   * @param soFar is given what there is
   * @throws BenchException if our ranks cannot be started, or answer wrongly
   * @throws IOException if peers cannot be read
   */
  public static MpiResult run(
      MpiPlan plan,
      Path peers,
      @Nullable Tool verbs,
      Consumer<String> onBuild,
      Progress progress,
      Consumer<MpiResult> soFar)
      throws InterruptedException, IOException {
    Map<String, Class<?>> ours = Map.of(Sides.DEVICE, DeviceTimes.class, Sides.API, ApiTimes.class);
    return run(plan, ours, peers, verbs, onBuild, progress, soFar);
  }

  /**
   * The same with other main classes.
   *
   * @param ours of our ranks, by the name of the side
   */
  static MpiResult run(
      MpiPlan plan,
      Map<String, Class<?>> ours,
      Path peers,
      @Nullable Tool verbs,
      Consumer<String> onBuild,
      Progress progress,
      Consumer<MpiResult> soFar)
      throws InterruptedException, IOException {
    List<Skipped> skipped = new ArrayList<>();
    Sides sides = Sides.prepare(plan, ours, peers, verbs, onBuild, skipped::add);
    MpiBench bench = new MpiBench(plan, sides, skipped, progress, soFar);
    progress.begins(plan.measured().size() * (1 + plan.pairs()));
    bench.measure(2);
    bench.measure(MpiPlan.ALL);
    return bench.result();
  }

  private MpiResult result() {
    return new MpiResult(plan, series, skipped, failures);
  }

  private void measure(int ranks) throws InterruptedException {
    List<MpiPlan.Measured> mine =
        plan.measured().stream().filter(one -> one.ranks() == ranks).toList();
    if (mine.isEmpty()) {
      return;
    }
    Map<String, Side> started = new LinkedHashMap<>();
    try (Scratch scratch = Scratch.open()) {
      try {
        for (String name : sides.names(ranks)) {
          attempt(started, name, () -> started.put(name, sides.start(name, ranks, scratch)));
        }
        measure(started, mine);
      } finally {
        started.values().forEach(Side::close);
      }
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /** A peer that fails takes no part any more. */
  private void attempt(Map<String, Side> started, String name, Work work)
      throws InterruptedException {
    try {
      work.run();
    } catch (BenchException e) {
      if (Sides.OURS.contains(name)) {
        throw e;
      }
      failures.add(e.getMessage());
      Side failed = started.remove(name);
      if (failed != null) {
        failed.close();
      }
    }
  }

  private record Contest(String side, MpiPlan.Measured what) {}

  private void measure(Map<String, Side> started, List<MpiPlan.Measured> mine)
      throws InterruptedException {
    Map<Contest, Integer> calls = new LinkedHashMap<>();
    Map<Contest, List<Side.Round>> rounds = new LinkedHashMap<>();
    for (MpiPlan.Measured what : mine) {
      progress.roundBegins("warm-up of " + what.text());
      inTurn(started, what, 0, side -> calls.put(contest(side, what), warmUp(side, what)));
      progress.roundEnds();
    }
    for (int pair = 0; pair < plan.pairs(); pair++) {
      for (MpiPlan.Measured what : mine) {
        progress.roundBegins(what.text());
        inTurn(
            started,
            what,
            pair,
            side -> {
              Contest contest = contest(side, what);
              Side.Round round = side.measure(what, calls.getOrDefault(contest, LEAST_CALLS));
              rounds.computeIfAbsent(contest, unused -> new ArrayList<>()).add(round);
            });
        progress.roundEnds();
      }
      rounds.keySet().removeIf(contest -> !started.containsKey(contest.side()));
      tell(rounds);
    }
    rounds.forEach((contest, done) -> series.add(series(contest, done)));
  }

  private static Contest contest(Side side, MpiPlan.Measured what) {
    return new Contest(side.name(), what);
  }

  private static MpiResult.Series series(Contest contest, List<Side.Round> rounds) {
    return new MpiResult.Series(contest.side(), contest.what(), rounds);
  }

  /** What there is: after each pair all have as many rounds. */
  private void tell(Map<Contest, List<Side.Round>> rounds) {
    List<MpiResult.Series> all = new ArrayList<>(series);
    rounds.forEach((contest, done) -> all.add(series(contest, done)));
    soFar.accept(new MpiResult(plan, all, skipped, failures));
  }

  private interface OfSide {
    void run(Side side) throws InterruptedException;
  }

  private void inTurn(Map<String, Side> started, MpiPlan.Measured what, int pair, OfSide work)
      throws InterruptedException {
    List<Side> order = new ArrayList<>(started.values());
    for (Side side : pair % 2 == 0 ? order : order.reversed()) {
      if (side.does(what)) {
        attempt(started, side.name(), () -> work.run(side));
      }
    }
  }

  /**
   * Makes more and more calls for a while, and of Java until its compilers have little to do;
   * returns how many a round is to have.
   */
  private int warmUp(Side side, MpiPlan.Measured what) throws InterruptedException {
    long roundNs = TimeUnit.MILLISECONDS.toNanos(plan.isQuick() ? 15 : 50);
    long warmUpNs = TimeUnit.MILLISECONDS.toNanos(plan.isQuick() ? 250 : 1000);
    long sinceNs = System.nanoTime();
    int calls = 1;
    double medianNs = 1;
    for (int i = 0; i < mostWarmUps(side); i++) {
      double compiledSeconds = side.compilerSeconds();
      long restNs = side.isJava() ? warmUpNs : roundNs;
      for (long endNs = System.nanoTime() + restNs; restNs > 0; ) {
        medianNs = Math.max(1, side.measure(what, calls).p50Ns());
        restNs = endNs - System.nanoTime();
        calls = between(1, restNs / medianNs, Math.min(calls * GROWTH, MOST_CALLS));
      }
      double passedNs = System.nanoTime() - sinceNs;
      sinceNs = System.nanoTime();
      if ((side.compilerSeconds() - compiledSeconds) * 1e9 <= COMPILER_SHARE * passedNs) {
        break;
      }
    }
    return between(LEAST_CALLS, roundNs / medianNs, MOST_CALLS);
  }

  private int mostWarmUps(Side side) {
    return side.isJava() && !plan.isQuick() ? MOST_WARM_UPS : 1;
  }

  private static int between(int least, double number, int most) {
    return (int) Math.max(least, Math.min(number, most));
  }
}
