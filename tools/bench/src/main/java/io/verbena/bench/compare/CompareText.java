// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.Figures;
import io.verbena.bench.Machine;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.compare.contest.RunningContestant.Description;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** An outcome for a terminal: one table for each workload. */
public final class CompareText {

  /** Behind the name of who checks nothing. */
  public static final String UNCHECKED = " *";

  private static final String UNSTEADY = " ~";

  private final Machine machine;
  private final Comparison comparison;
  private final Outcome outcome;

  private CompareText(Machine machine, Comparison comparison, Outcome outcome) {
    this.machine = machine;
    this.comparison = comparison;
    this.outcome = outcome;
  }

  /** What was compared on what, the tables, who was left out, and the verdict. */
  public static String format(Machine machine, Comparison comparison, Outcome outcome) {
    return new CompareText(machine, comparison, outcome).text();
  }

  private String text() {
    StringBuilder text = new StringBuilder(circumstances());
    for (Workload workload : comparison.workloads()) {
      List<Pairing> lines =
          outcome.pairings().stream()
              .filter(line -> line.contest().workload() == workload)
              .toList();
      if (!lines.isEmpty()) {
        text.append('\n').append(workload.hasReplies() ? roundTrips(lines) : rates(lines));
      }
    }
    return text.append(footnotes()).append('\n').append(remarks(outcome)).toString();
  }

  /** How contestants were set up, who was left out or has failed, and what became of messages. */
  public static String remarks(Outcome outcome) {
    StringBuilder text = new StringBuilder(settings(outcome));
    outcome.skipped().forEach(one -> text.append("skipped: ").append(one.text()).append('\n'));
    outcome.failures().forEach(one -> text.append("FAILED: ").append(one.text()).append('\n'));
    return text.append('\n').append(verdict(outcome)).toString();
  }

  private String circumstances() {
    return "%s%n".formatted(machine.describe())
        + "two processes each; %d pairs of rounds of %s s, Verbena first and the other first in turn%n"
            .formatted(comparison.repeat(), Figures.digits(comparison.seconds()))
        + crowd();
  }

  /** The suite's own process waits meanwhile; libraries have threads of their own. */
  private String crowd() {
    if (machine.cores() < 2) {
      return "more processes than cores: they take turns, and figures are no limit\n";
    }
    return machine.cores() < 4
        ? "no more than one core for each process: systems with threads of their own share them\n"
        : "";
  }

  private String rates(List<Pairing> lines) {
    Table table =
        new Table(
            "system",
            "size",
            "msg/s",
            "(min–max)",
            "slowest",
            "slow",
            "MB/s",
            "CPU s",
            ": Verbena",
            "(" + Verdict.level() + ")",
            "");
    for (Pairing line : lines) {
      Spread rate = line.messagesPerSecond();
      table.row(
          name(line),
          SizeText.format(line.contest().sizeBytes()),
          Figures.count(rate.median()),
          "(" + Figures.count(rate.min()) + "–" + Figures.count(rate.max()) + ")",
          Figures.digits(line.slowest()),
          slow(line),
          Figures.digits(line.megabytesPerSecond().median()),
          Figures.digits(line.cpuSeconds().median()),
          ratio(line),
          interval(line),
          verdict(line));
    }
    return "One way: messages per second at the receiver; a ratio above 1 is faster than Verbena\n"
        + table;
  }

  private String roundTrips(List<Pairing> lines) {
    Table table =
        new Table(
            "system",
            "size",
            "p50",
            "(min–max)",
            "slowest",
            "slow",
            "p95",
            "p99",
            "p99.9",
            "max",
            "CPU s",
            ": Verbena",
            "(" + Verdict.level() + ")",
            "");
    for (Pairing line : lines) {
      Spread median = line.medianRoundTripNs();
      if (median != null) {
        table.row(
            name(line),
            SizeText.format(line.contest().sizeBytes()),
            Figures.nanos(median.median()),
            "(" + Figures.nanos(median.min()) + "–" + Figures.nanos(median.max()) + ")",
            Figures.digits(line.slowest()),
            slow(line),
            roundTrip(line, RoundTrips::p95),
            roundTrip(line, RoundTrips::p99),
            roundTrip(line, RoundTrips::p999),
            roundTrip(line, RoundTrips::max),
            Figures.digits(line.cpuSeconds().median()),
            ratio(line),
            interval(line),
            verdict(line));
      }
    }
    return "Round trips, one at a time; a ratio of medians below 1 is faster than Verbena\n"
        + table;
  }

  /** The median of the rounds. */
  private static String roundTrip(Pairing line, ToDoubleFunction<RoundTrips> figure) {
    return line.hasDistribution()
        ? Figures.nanos(Spread.of(line.roundTrips(), figure).median())
        : "-";
  }

  private String name(Pairing line) {
    return line.contestant()
        + (outcome.isChecked(line.contestant()) ? "" : UNCHECKED)
        + (line.warmUp().warmth() == WarmUp.Warmth.SETTLED ? "" : UNSTEADY);
  }

  private static String ratio(Pairing line) {
    Spread ratio = line.ratio();
    return ratio == null ? "1" : digits(ratio.median());
  }

  private static String interval(Pairing line) {
    Verdict verdict = line.verdict();
    MedianInterval interval = verdict == null ? null : verdict.interval();
    return interval == null
        ? ""
        : "(" + digits(interval.low()) + "–" + digits(interval.high()) + ")";
  }

  /** Slow rounds, and how many of them the distance of processors explains. */
  private static String slow(Pairing line) {
    long far = line.slowRoundsOfFarCores();
    return line.slowRounds()
        + " of "
        + line.samples().size()
        + (far == 0 ? "" : ", " + far + " far");
  }

  private static String verdict(Pairing line) {
    Verdict verdict = line.verdict();
    return verdict == null ? "" : verdict.text();
  }

  private static String digits(double ratio) {
    return ratio < 0.1 ? String.format(Locale.ROOT, "%.3f", ratio) : Figures.digits(ratio);
  }

  private String footnotes() {
    List<Pairing> lines = outcome.pairings();
    String text =
        """
        the ratio is the median of the pairs, with the interval that holds the true one with %s; faster, slower: it
        holds no 1; equal: it holds 1 and reaches no further than the percentage
        slow: rounds with less than %s of the median speed, all of them counted; slowest: the slowest one's part of it;
        far: before so many of them processors were farther apart than usual (%s)
        """
                .formatted(Verdict.level(), Figures.digits(Pairing.SLOW), distances(lines))
            + help(lines);
    if (!lines.stream().allMatch(line -> outcome.isChecked(line.contestant()))) {
      text += "* checks nothing of what it receives, and takes its own time, at the sender\n";
    }
    if (!lines.stream().allMatch(line -> line.warmUp().warmth() == WarmUp.Warmth.SETTLED)) {
      text += "~ no two rounds in a row agreed before the time to warm up was over\n";
    }
    return text;
  }

  /** How long a word takes to another processor and back. */
  private static String distances(List<Pairing> lines) {
    List<Sample> all = lines.stream().flatMap(line -> line.samples().stream()).toList();
    if (all.isEmpty()) {
      return "-";
    }
    Spread ns = Spread.of(all, Sample::coresNs);
    return "a word took %s there and back, %s to %s"
        .formatted(Figures.nanos(ns.median()), Figures.nanos(ns.min()), Figures.nanos(ns.max()));
  }

  /** What would give the verdicts that are missing. */
  private static String help(List<Pairing> lines) {
    StringBuilder text = new StringBuilder();
    for (Pairing line : lines) {
      Verdict verdict = line.verdict();
      if (verdict != null && !verdict.help().isEmpty()) {
        text.append(
            "no verdict on %s, %s; it needs %s%n"
                .formatted(line.contestant(), line.contest().text(), verdict.help()));
      }
    }
    return text.toString();
  }

  private static String settings(Outcome outcome) {
    StringBuilder text = new StringBuilder();
    outcome.descriptions().forEach((name, ofWorkloads) -> text.append(settings(name, ofWorkloads)));
    return text.toString();
  }

  private static String settings(String name, Map<Workload, Description> ofWorkloads) {
    String version = ofWorkloads.values().iterator().next().version();
    String settings =
        ofWorkloads.values().stream()
            .map(Description::settings)
            .distinct()
            .collect(Collectors.joining("; for round trips: "));
    return "%s: %s; %s%n".formatted(name, version, settings);
  }

  private static String verdict(Outcome outcome) {
    StringBuilder text = new StringBuilder();
    for (Pairing line : outcome.pairings()) {
      Tally tally = line.tally();
      if (!tally.isClean()) {
        text.append(
            "WRONG: %s, %s: %s.%n"
                .formatted(line.contestant(), line.contest().text(), tally.wrongs()));
      }
    }
    if (outcome.isClean()) {
      long expected =
          outcome.pairings().stream()
              .filter(line -> outcome.isChecked(line.contestant()))
              .mapToLong(line -> line.tally().expected())
              .sum();
      text.append(
          "All %s messages that were checked arrived once, whole and in order, warm-up included.%n"
              .formatted(Figures.count(expected)));
    }
    if (outcome.pairings().isEmpty()) {
      text.append("Nothing was measured.\n");
    }
    if (!outcome.isComplete()) {
      text.append("The run was ended early: what it had finished stands above.\n");
    }
    return text.toString();
  }
}
