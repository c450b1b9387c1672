// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.JsonFields;
import io.verbena.bench.Machine;
import io.verbena.bench.Percentile;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.RunningContestant.Description;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Skipped;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An outcome as JSON; docs/benchmarks.md tells the fields. */
public final class CompareJson {

  private CompareJson() {}

  /** The text. */
  public static String format(
      Machine machine, String command, Comparison comparison, Outcome outcome) {
    return JsonFields.document(
        machine, command, outcome.isComplete(), root -> put(root, comparison, outcome));
  }

  /** Puts it beside what else a document has. */
  public static void put(ObjectNode root, Comparison comparison, Outcome outcome) {
    putMeta(JsonFields.meta(root), comparison, outcome);
    putSystems(root.putArray("systems"), outcome);
    ArrayNode results = root.putArray("results");
    outcome.pairings().forEach(line -> putResult(results.addObject(), line, outcome));
    putSkipped(root.putArray("skipped"), outcome.skipped());
    putFailures(root.putArray("failures"), outcome);
  }

  private static void putMeta(ObjectNode meta, Comparison comparison, Outcome outcome) {
    meta.put("seconds", comparison.seconds());
    meta.put("warmup_seconds", comparison.warmupSeconds());
    meta.put("repeat", comparison.repeat());
    boolean hasBudget = Double.isFinite(comparison.budgetSeconds());
    meta.put("budget_seconds", hasBudget ? comparison.budgetSeconds() : null);
    meta.put("clean", outcome.isClean());
  }

  private static void putSystems(ArrayNode array, Outcome outcome) {
    outcome
        .descriptions()
        .forEach(
            (name, ofWorkloads) -> {
              Description any = ofWorkloads.values().iterator().next();
              ObjectNode node = array.addObject();
              node.put("system", name);
              node.put("wire", outcome.wireOf(name).text());
              node.put("version", any.version());
              node.put("checked", any.isChecked());
              ObjectNode settings = node.putObject("settings");
              ofWorkloads.forEach(
                  (workload, one) -> settings.put(JsonFields.word(workload), one.settings()));
            });
  }

  private static void putResult(ObjectNode node, Pairing line, Outcome outcome) {
    node.put("system", line.contestant());
    node.put("workload", JsonFields.word(line.contest().workload()));
    node.put("wire", outcome.wireOf(line.contestant()).text());
    node.put("size_bytes", line.contest().sizeBytes());
    node.put("rounds", line.samples().size());
    node.put("warmup_seconds", line.warmUp().seconds());
    node.put("warmth", JsonFields.word(line.warmUp().warmth()));
    node.put("slowest", line.slowest());
    node.put("slow_rounds", line.slowRounds());
    node.put("slow_rounds_of_far_cores", line.slowRoundsOfFarCores());
    JsonFields.put(node, "cores_round_trip_ns", Spread.of(line.samples(), Sample::coresNs));
    node.put("messages", line.messages());
    JsonFields.put(node, "messages_per_second", line.messagesPerSecond());
    node.put("megabytes_per_second", line.megabytesPerSecond().median());
    putRoundTrips(node, line);
    JsonFields.put(node, "cpu_seconds", line.cpuSeconds());
    putRatio(node, line);
    JsonFields.putTally(node, outcome.isChecked(line.contestant()) ? line.tally() : null);
  }

  private static void putRoundTrips(ObjectNode node, Pairing line) {
    List<RoundTrips> rounds = line.roundTrips();
    Histogram all = line.allRoundTrips();
    boolean hasMedianOnly = all != null && !line.hasDistribution();
    if (hasMedianOnly) {
      putMedianOnly(node.putObject("rtt_ns"), Spread.of(rounds, RoundTrips::p50));
    } else {
      JsonFields.putRoundTrips(node, rounds);
    }
    JsonFields.putPercentiles(node, all == null || hasMedianOnly ? List.of() : Percentile.of(all));
  }

  /** The others are null: nobody has told them. */
  private static void putMedianOnly(ObjectNode rtt, Spread p50) {
    for (String name : RoundTrips.FIGURES.keySet()) {
      if (name.equals("p50")) {
        JsonFields.put(rtt, name, p50);
      } else {
        JsonFields.putUnknown(rtt, name);
      }
    }
  }

  private static void putRatio(ObjectNode node, Pairing line) {
    Spread ratio = line.ratio();
    if (ratio == null) {
      node.putNull("ratio");
      return;
    }
    ObjectNode object = node.putObject("ratio");
    object.put("baseline", line.baseline());
    object.put("of", line.contest().hasReplies() ? "rtt_p50" : "messages_per_second");
    object.put("median", ratio.median());
    object.put("min", ratio.min());
    object.put("max", ratio.max());
    putVerdict(object, Objects.requireNonNull(line.verdict()));
    ArrayNode pairs = object.putArray("pairs");
    line.ratios().forEach(pairs::add);
  }

  private static void putVerdict(ObjectNode object, Verdict verdict) {
    object.put("verdict", JsonFields.word(verdict.kind()));
    object.put("help", verdict.help());
    putInterval(object, verdict.interval());
  }

  /** The interval of a median ratio; null three times without one. */
  public static void putInterval(ObjectNode object, @Nullable MedianInterval interval) {
    object.put("low", interval == null ? null : interval.low());
    object.put("high", interval == null ? null : interval.high());
    object.put("confidence", interval == null ? null : interval.confidence());
  }

  /** Adds who was left out, and why. */
  public static void putSkipped(ArrayNode array, List<Skipped> skipped) {
    for (Skipped one : skipped) {
      ObjectNode node = array.addObject();
      node.put("system", one.name());
      node.put("reason", one.reason());
      node.put("install", one.install());
    }
  }

  private static void putFailures(ArrayNode array, Outcome outcome) {
    for (Outcome.Failure one : outcome.failures()) {
      ObjectNode node = array.addObject();
      node.put("system", one.contestant());
      Contest contest = one.contest();
      node.put("workload", contest == null ? null : JsonFields.word(contest.workload()));
      node.put("size_bytes", contest == null ? null : contest.sizeBytes());
      node.put("reason", one.reason());
    }
  }
}
