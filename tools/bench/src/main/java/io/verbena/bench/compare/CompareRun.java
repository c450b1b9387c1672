// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.control.BenchException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Carries out a {@link Comparison}: in each contest Verbena runs through, and beside it one
 * contestant after the other, round by round in turn: A B, B A, A B.
 */
public final class CompareRun {

  private static final long INTERRUPT_MS = 300;
  private static final String TIME_OVER = "the time was over";

  private final Comparison comparison;
  private final List<Contestant> contestants;
  private final List<League> leagues;
  private final Progress progress;
  private final Consumer<Outcome> onNews;
  private final Outcome outcome;
  private Budget budget;

  /**
   * @param contestants who takes part
   * @param leagues with whom contestants are compared
   * @param onNews is told whenever a contestant's contest is over
   * @param outcome to be filled
   */
  public CompareRun(
      Comparison comparison,
      List<Contestant> contestants,
      List<League> leagues,
      Progress progress,
      Consumer<Outcome> onNews,
      Outcome outcome) {
    this.comparison = comparison;
    this.contestants = List.copyOf(contestants);
    this.leagues = List.copyOf(leagues);
    this.progress = progress;
    this.onNews = onNews;
    this.outcome = outcome;
    this.budget = newBudget();
  }

  /** How many times a contestant takes part in a contest. */
  public int pairings() {
    int count = 0;
    for (Contest contest : comparison.contests()) {
      for (League league : leagues) {
        count += challengers(contest, league).size();
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
      for (League league : leagues) {
        count += isWanted(contest, league) ? 1 : 0;
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
    try (CoreDistance distance = CoreDistance.open()) {
      for (Contest contest : comparison.contests()) {
        for (League league : leagues) {
          compare(contest, league, distance);
        }
      }
    }
    outcome.complete();
    onNews.accept(outcome);
  }

  private void compare(Contest contest, League league, CoreDistance distance)
      throws InterruptedException {
    Contestant baseline = league.baseline();
    if (!isWanted(contest, league)) {
      return;
    }
    Deque<Contestant> left = new ArrayDeque<>(challengers(contest, league));
    if (!(left.isEmpty() ? budget.hasRoom() : budget.hasRoomWithBaseline())) {
      leaveOut(contest, baseline, TIME_OVER);
      budget.leaveOut(1);
      leaveOutAll(contest, left, TIME_OVER);
      return;
    }
    double warmUpSeconds = budget.nextWarmUpSeconds();
    try (RunningContestant running = start(baseline, contest)) {
      outcome.describe(baseline, contest.workload(), running.description());
      Match match =
          new Match(comparison, contest, baseline.name(), running, distance::roundTripNs, outcome);
      match.warmUp(warmUpSeconds);
      while (!left.isEmpty()) {
        challenge(match, left.removeFirst(), baseline);
      }
      match.closeWithoutChallengers();
    } catch (BenchException e) {
      noteFailure(baseline, contest, e);
      leaveOutAll(contest, left, failed(baseline));
    }
  }

  /** What the system does not give, ports, folders or processes, fails the contestant alone. */
  private static RunningContestant start(Contestant contestant, Contest contest)
      throws InterruptedException {
    try {
      return contestant.start(contest);
    } catch (UncheckedIOException e) {
      Throwable cause = e.getCause();
      String reason = cause == null ? "" : ": " + cause.getMessage();
      throw new BenchException(e.getMessage() + reason);
    }
  }

  private void challenge(Match match, Contestant challenger, Contestant baseline)
      throws InterruptedException {
    progress.roundBegins(what(match.contest(), challenger));
    if (budget.hasRoom()) {
      pair(match, challenger, baseline);
    } else {
      leaveOut(match.contest(), challenger, TIME_OVER);
      budget.leaveOut(1);
    }
    progress.roundEnds();
    stopIfAsked();
    onNews.accept(outcome);
    stopIfAsked();
  }

  private void pair(Match match, Contestant challenger, Contestant baseline)
      throws InterruptedException {
    double warmUpSeconds = budget.nextWarmUpSeconds();
    try (RunningContestant running = start(challenger, match.contest())) {
      outcome.describe(challenger, match.contest().workload(), running.description());
      match.pairWith(challenger.name(), running, warmUpSeconds);
    } catch (BenchException e) {
      if (match.hasBaselineFailed()) {
        leaveOut(match.contest(), challenger, failed(baseline));
        progress.roundEnds();
        throw e;
      }
      noteFailure(challenger, match.contest(), e);
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

  private boolean isWanted(Contest contest, League league) {
    return contestants.stream()
        .anyMatch(one -> league.members().test(one) && one.takesPartIn(contest.workload()));
  }

  private List<Contestant> challengers(Contest contest, League league) {
    return contestants.stream()
        .filter(one -> league.hasChallenger(one) && one.takesPartIn(contest.workload()))
        .toList();
  }

  private static String what(Contest contest, Contestant contestant) {
    return contestant.name() + " " + contest.text();
  }

  private void leaveOutAll(Contest contest, Collection<Contestant> challengers, String why) {
    for (Contestant challenger : challengers) {
      progress.roundBegins(what(contest, challenger));
      leaveOut(contest, challenger, why);
      progress.roundEnds();
    }
    budget.leaveOut(challengers.size());
  }

  private void leaveOut(Contest contest, Contestant contestant, String why) {
    String reason = "%s was left out, %s".formatted(contest.text(), why);
    outcome.add(new Skipped(contestant.name(), reason, ""));
  }

  private static String failed(Contestant baseline) {
    return baseline.name() + " failed, with which it is compared";
  }
}
