// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.plan.LaneKind;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.WaitKind;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of contestants without processes: who plays when, and what becomes of whoever fails. */
@Tag("timing")
@Timeout(600)
class CompareRunTest {

  @Test
  void whoGoesFirstChangesFromPairToPair() throws Exception {
    List<String> log = new ArrayList<>();
    Outcome outcome = new Outcome();
    FakeContestant a = new FakeContestant("A", List.of(1.0), Tally.NONE, log);
    FakeContestant b = new FakeContestant("B", List.of(2.0), Tally.NONE, log);
    run(a, b, 6, outcome);
    assertThat(String.join("", log)).isEqualTo("AA" + "BB" + "ABBA".repeat(3));
    assertThat(outcome.pairings().get(1).ratios()).containsOnly(2.0).hasSize(6);
    assertThat(outcome.pairings().get(1).verdict().kind()).isEqualTo(Verdict.Kind.FASTER);
  }

  @Test
  void aVerbenaThatDoesNotStartHasFailed() throws Exception {
    Outcome outcome = new Outcome();
    Contestant absent =
        new VerbenaContestant(
            "verbena-x",
            Wire.SHM,
            SystemUnderTest.of("no-such"),
            MessagePath.RECORD,
            LaneKind.SHARED,
            WaitKind.ADAPTIVE);
    run(new FakeContestant("A", 1), absent, 1, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("verbena-x");
    assertThat(outcome.isClean()).isFalse();
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A");
  }

  @Test
  void aMessageLostWhileConnectingFailsTheRun() throws Exception {
    Outcome outcome = new Outcome();
    Tally lost = new Tally(1, 1, 0, 0, 0);
    FakeContestant b = new FakeContestant("B", List.of(2.0), lost, new ArrayList<>());
    run(new FakeContestant("A", 1), b, 1, outcome);
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.isClean()).isFalse();
  }

  @Test
  void whoeverHasNothingToTimeFailsAlone() throws Exception {
    Outcome outcome = new Outcome();
    run(new FakeContestant("A", 1), new FakeContestant("B", 0), 1, outcome);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures().getFirst().reason()).contains("too few came to be timed");
  }

  @Test
  void aRoundThatLosesEverythingNamesWhatWasLost() throws Exception {
    Outcome outcome = new Outcome();
    Sample good = Outcomes.rate(1);
    List<Sample> samples = List.of(good, good, Outcomes.rate(0, 0));
    run(new FakeContestant("A", 1), new FakeContestant("B", samples), 1, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().text())
        .contains("B, one way, 64 bytes: ", "of 3000 messages 1000 were lost")
        .doesNotContain("--seconds");
  }

  @Test
  void whoDiesWarmingUpHasFailedWithAllThatWentWrongBefore() throws Exception {
    Outcome outcome = new Outcome();
    Sample gone = Outcomes.rate(-1);
    Sample dirty = Outcomes.rate(1, 995);
    Contestant b = new FakeContestant("B", List.of(dirty, Outcomes.rate(9), gone));
    run(new FakeContestant("A", 1), List.of(b, new FakeContestant("C", 1)), 1, 60, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().text())
        .contains("B, one way, 64 bytes: B ended", "of 2000 messages 5 were lost");
    assertThat(outcome.isClean()).isFalse();
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A", "C");
  }

  @Test
  void aBaselineThatDiesWarmingUpTellsWhatWentWrongBefore() throws Exception {
    Outcome outcome = new Outcome();
    Contestant a = new FakeContestant("A", List.of(Outcomes.rate(1, 999), Outcomes.rate(-1)));
    run(a, new FakeContestant("B", 1), 1, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().text())
        .contains("A, one way, 64 bytes: A ended", "of 1000 messages 1 were lost");
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("B");
  }

  @Test
  void aRoundWithoutAPartnerIsJudgedAndABaselineThatEndsIsToldOfAllItLeaves() throws Exception {
    Outcome outcome = new Outcome();
    Sample good = Outcomes.rate(1);
    Contestant a = new FakeContestant("A", 1, 1, 1, -1); // ends in the second pair, behind B
    List<Sample> samples = List.of(good, good, good, Outcomes.rate(1, 999));
    Contestant b = new FakeContestant("B", samples);
    run(a, List.of(b, new FakeContestant("C", 1)), 2, Double.POSITIVE_INFINITY, outcome);
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A", "B");
    assertThat(outcome.pairings().get(1).tally().lost()).isEqualTo(1);
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("A");
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("B", "C");
    assertThat(outcome.skipped().getFirst().reason()).contains("A failed");
  }

  @Test
  void aBaselineThatDoesNotStartIsToldOfAllItLeaves() throws Exception {
    Outcome outcome = new Outcome();
    Contestant a = new FakeContestant("A", new BenchException("A does not start"));
    run(a, new FakeContestant("B", 1), 1, outcome);
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("A");
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("B");
    assertThat(outcome.isComplete()).isTrue();
  }

  @Test
  void whoGetsNoPortOrFolderFailsAlone() throws Exception {
    Outcome outcome = new Outcome();
    UncheckedIOException none =
        new UncheckedIOException("no free port", new IOException("too many"));
    Contestant b = new FakeContestant("B", none);
    run(new FakeContestant("A", 1), List.of(b, new FakeContestant("C", 1)), 1, 60, outcome);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("B");
    assertThat(outcome.failures().getFirst().reason()).isEqualTo("no free port: too many");
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A", "C");
  }

  @Test
  void whatDoesNotFitIntoTheTimeIsLeftOutBeforeTheBaselineStartsAndTold() throws Exception {
    Outcome outcome = new Outcome();
    List<String> rounds = new ArrayList<>();
    Contestant a = new FakeContestant("A", List.of(1.0), Tally.NONE, rounds);
    run(a, List.of(new FakeContestant("B", 1)), 5, 0.01, outcome);
    assertThat(rounds).isEmpty();
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("A", "B");
    assertThat(outcome.skipped().get(1).text()).contains("B: ", "64", "the time was over");
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.isClean()).isFalse(); // there is no line
  }

  private static void run(Contestant a, Contestant b, int pairs, Outcome outcome)
      throws InterruptedException {
    run(a, List.of(b), pairs, Double.POSITIVE_INFINITY, outcome);
  }

  private static void run(
      Contestant a, List<Contestant> others, int pairs, double budgetSeconds, Outcome outcome)
      throws InterruptedException {
    Comparison comparison =
        new Comparison(List.of(Workload.THROUGHPUT), List.of(64), 0.01, 0.5, pairs, budgetSeconds);
    new CompareRun(comparison, others, List.of(League.of(a)), Progress.SILENT, news -> {}, outcome)
        .run();
  }
}
