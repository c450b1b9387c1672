// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.Progress;
import io.verbena.bench.plan.SizeText;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Carries out a {@link Comparison}: in each contest Verbena runs through, and beside it one
 * contestant after the other, round by round in turn: A B, B A, A B.
 */
public final class CompareRun {

  private static final long INTERRUPT_MS = 300;

  private final Comparison comparison;
  private final List<Contestant> contestants;
  private final Function<Wire, Contestant> baselines;
  private final Progress progress;
  private final Consumer<Outcome> onNews;
  private final Outcome outcome;
  private Budget budget;

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
    this.contestants = List.copyOf(contestants);
    this.baselines = baselines;
    this.progress = progress;
    this.onNews = onNews;
    this.outcome = outcome;
    this.budget = newBudget();
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
    return Math.min(pairings() * comparison.pairingSeconds(), comparison.budgetSeconds());
  }

  private Budget newBudget() {
    return new Budget(comparison, pairings() + matches(), () -> System.nanoTime() / 1e9);
  }

  /** How many baselines are started. */
  private int matches() {
    int count = 0;
    for (Contest contest : comparison.contests()) {
      for (Wire wire : Wire.values()) {
        count += isWanted(contest, wire) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Runs all contests. What goes wrong with a contestant is noted, and the others go on.
   *
   * @throws InterruptedException if it was ended early; the outcome so far is valid
   */
  public void run() throws InterruptedException {
    progress.begins(pairings());
    budget = newBudget();
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
      Match match =
          new Match(
              comparison, contest, baseline.name(), running, budget.nextWarmUpSeconds(), outcome);
      for (Contestant challenger : challengers(contest, wire)) {
        progress.roundBegins(what(contest, challenger));
        challenge(match, challenger);
        progress.roundEnds();
        stopIfAsked();
        onNews.accept(outcome);
        stopIfAsked();
      }
      match.closeWithoutChallengers();
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

  private void challenge(Match match, Contestant challenger) throws InterruptedException {
    if (!budget.hasRoom()) {
      leaveOut(match.contest(), challenger);
      return;
    }
    double warmUpSeconds = budget.nextWarmUpSeconds();
    try (RunningContestant running = challenger.start(match.contest())) {
      outcome.describe(challenger, match.contest().workload(), running.description());
      match.pairWith(challenger.name(), running, warmUpSeconds);
    } catch (BenchException e) {
      if (match.hasBaselineFailed()) {
        throw e;
      }
      noteFailure(challenger, match.contest(), e);
    }
  }

  private void leaveOut(Contest contest, Contestant challenger) {
    String reason = "%s was left out, the time was over".formatted(what(contest, challenger));
    outcome.add(new Skipped(challenger.name(), reason, ""));
  }
}
