// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.Progress;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a {@link Comparison}: in each contest Verbena runs through, and beside it one
 * contestant after the other, round by round in turn: A B A B.
 */
public final class CompareRun {

  private static final long INTERRUPT_MS = 300;

  private final Comparison comparison;
  private final List<Contestant> contestants;
  private final Function<Wire, Contestant> baselines;
  private final Progress progress;
  private final Consumer<Outcome> onNews;
  private final Outcome outcome;

  /**
   * @param contestants who takes part
   * @param baselines with whom contestants over a wire are compared
   * @param onNews is told whenever a contestant's contest is over
   * @param outcome to be filled
   */
  public CompareRun(
      Comparison comparison,
      List<Contestant> contestants,
      Function<Wire, Contestant> baselines,
      Progress progress,
      Consumer<Outcome> onNews,
      Outcome outcome) {
    this.comparison = comparison;
    this.contestants = new ArrayList<>(contestants);
    this.baselines = baselines;
    this.progress = progress;
    this.onNews = onNews;
    this.outcome = outcome;
  }

  /** How many times a contestant takes part in a contest. */
  public int pairings() {
    int count = 0;
    for (Contest contest : comparison.contests()) {
      for (Wire wire : Wire.values()) {
        count += challengers(contest, wire).size();
      }
    }
    return count;
  }

  /** About how long it takes. */
  public double estimatedSeconds() {
    return pairings() * comparison.pairingSeconds();
  }

  /**
   * Runs all contests. What goes wrong with a contestant is noted, and the others go on.
   *
   * @throws InterruptedException if it was ended early; the outcome so far is valid
   */
  public void run() throws InterruptedException {
    progress.begins(pairings());
    for (Contest contest : comparison.contests()) {
      for (Wire wire : Wire.values()) {
        compare(contest, wire);
      }
    }
    outcome.complete();
    onNews.accept(outcome);
  }

  private void compare(Contest contest, Wire wire) throws InterruptedException {
    Contestant baseline = baselines.apply(wire);
    if (!isWanted(contest, wire)) {
      return;
    }
    try (RunningContestant running = baseline.start(contest)) {
      outcome.describe(baseline, contest.workload(), running.description());
      Table table = new Table(contest, baseline.name(), running, outcome.pairings().size());
      table.warmUp();
      for (Contestant challenger : challengers(contest, wire)) {
        progress.roundBegins(what(contest, challenger));
        challenge(table, challenger);
        progress.roundEnds();
        stopIfAsked();
        onNews.accept(outcome);
        stopIfAsked();
      }
      table.closeWithoutChallengers();
    } catch (BenchException e) {
      noteFailure(baseline, contest, e);
    }
  }

  /** Ctrl-C ends the children as well: then the interrupt follows, and nothing has failed. */
  private void noteFailure(Contestant contestant, Contest contest, BenchException e)
      throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(INTERRUPT_MS);
    outcome.add(new Outcome.Failure(contestant.name(), contest, String.valueOf(e.getMessage())));
  }

  /** Closing processes takes no notice of an interrupt, but leaves it set. */
  private static void stopIfAsked() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("ended early");
    }
  }

  private boolean isWanted(Contest contest, Wire wire) {
    return contestants.stream()
        .anyMatch(one -> one.wire() == wire && one.takesPartIn(contest.workload()));
  }

  private List<Contestant> challengers(Contest contest, Wire wire) {
    String baseline = baselines.apply(wire).name();
    return contestants.stream()
        .filter(one -> one.wire() == wire && one.takesPartIn(contest.workload()))
        .filter(one -> !one.name().equals(baseline))
        .toList();
  }

  private static String what(Contest contest, Contestant contestant) {
    String workload = contest.hasReplies() ? "round trips" : "one way";
    return "%s %s %s".formatted(workload, SizeText.format(contest.sizeBytes()), contestant.name());
  }

  private void challenge(Table table, Contestant challenger) throws InterruptedException {
    RunningContestant running = open(table.contest, challenger);
    if (running == null) {
      return;
    }
    try (running) {
      outcome.describe(challenger, table.contest.workload(), running.description());
      table.pairWith(challenger.name(), running);
    } catch (BenchException e) {
      if (table.hasBaselineFailed) {
        throw e;
      }
      noteFailure(challenger, table.contest, e);
    }
  }

  /** A Verbena that does not start lacks something here; a peer was just built, so it failed. */
  private @Nullable RunningContestant open(Contest contest, Contestant challenger)
      throws InterruptedException {
    try {
      return challenger.start(contest);
    } catch (BenchException e) {
      if (challenger instanceof VerbenaContestant) {
        String reason = String.valueOf(e.getMessage());
        outcome.add(new Skipped(challenger.name(), reason, ""));
        contestants.remove(challenger);
      } else {
        noteFailure(challenger, contest, e);
      }
      return null;
    }
  }

  /** One contest over one wire, with the baseline running. */
  private final class Table {
    private final Contest contest;
    private final String baselineName;
    private final RunningContestant baseline;
    private final int firstLine;
    private final List<Sample> baselineSamples = new ArrayList<>();
    private Tally baselineWarmUp = Tally.NONE;
    private boolean hasBaselineFailed;

    private Table(Contest contest, String name, RunningContestant baseline, int firstLine) {
      this.contest = contest;
      this.baselineName = name;
      this.baseline = baseline;
      this.firstLine = firstLine;
    }

    void warmUp() throws InterruptedException {
      baselineWarmUp = warmUp(baseline);
    }

    private Tally warmUp(RunningContestant one) throws InterruptedException {
      boolean isSoon = one.description().isWarmedUpSoon();
      double limit = isSoon ? Comparison.NATIVE_WARMUP_SECONDS : Double.MAX_VALUE;
      double seconds = Math.min(limit, comparison.warmupSeconds());
      return seconds == 0 ? Tally.NONE : one.round(nanos(seconds)).tally();
    }

    /** In each pair the baseline goes first. What was measured before a failure counts too. */
    void pairWith(String name, RunningContestant challenger) throws InterruptedException {
      Tally warmUp = warmUp(challenger);
      List<Sample> mine = new ArrayList<>();
      List<Sample> theirs = new ArrayList<>();
      try {
        for (int i = 0; i < comparison.repeat(); i++) {
          Sample first = baselineRound();
          theirs.add(challenger.round(nanos(comparison.seconds())));
          mine.add(first);
        }
      } finally {
        note(name, mine, theirs, warmUp);
      }
    }

    private Sample baselineRound() throws InterruptedException {
      hasBaselineFailed = true; // until it has not
      Sample sample = baseline.round(nanos(comparison.seconds()));
      hasBaselineFailed = false;
      return sample;
    }

    private void note(String name, List<Sample> mine, List<Sample> theirs, Tally warmUp) {
      if (!theirs.isEmpty()) {
        baselineSamples.addAll(mine.subList(0, theirs.size()));
        putBaseline();
        outcome.add(
            new Pairing(
                contest, name, baselineName, theirs, mine.subList(0, theirs.size()), warmUp));
      }
    }

    private void putBaseline() {
      Pairing line =
          new Pairing(
              contest, baselineName, baselineName, baselineSamples, List.of(), baselineWarmUp);
      outcome.putBaseline(firstLine, line);
    }

    void closeWithoutChallengers() throws InterruptedException {
      if (baselineSamples.isEmpty()) {
        for (int i = 0; i < comparison.repeat(); i++) {
          baselineSamples.add(baselineRound());
        }
        putBaseline();
      }
    }

    private static long nanos(double seconds) {
      return Math.round(seconds * 1e9);
    }
  }
}
