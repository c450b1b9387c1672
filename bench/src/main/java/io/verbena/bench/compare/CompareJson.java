// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Percentile;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.compare.RunningContestant.Description;
import io.verbena.bench.verify.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An outcome as JSON; docs/benchmarks.md tells the fields. */
public final class CompareJson {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private CompareJson() {}

  /** The text. */
  public static String format(
      Machine machine, String command, Comparison comparison, Outcome outcome) {
    ObjectNode root = MAPPER.createObjectNode();
    putMeta(root.putObject("meta"), machine, command, comparison, outcome);
    putSystems(root.putArray("systems"), outcome);
    ArrayNode results = root.putArray("results");
    outcome.pairings().forEach(line -> putResult(results.addObject(), line, outcome));
    putSkipped(root.putArray("skipped"), outcome);
    putFailures(root.putArray("failures"), outcome);
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  /** Writes the text so that whoever reads the file sees all of it or what was there before. */
  public static void write(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void putMeta(
      ObjectNode meta, Machine machine, String command, Comparison comparison, Outcome outcome) {
    meta.put("commit", machine.commit());
    meta.put("jdk", machine.jdk());
    meta.put("cpu", machine.cpu());
    meta.put("cores", machine.cores());
    meta.put("kernel", machine.kernel());
    meta.put("command", command);
    meta.put("seconds", comparison.seconds());
    meta.put("warmup_seconds", comparison.warmupSeconds());
    meta.put("repeat", comparison.repeat());
    boolean hasBudget = Double.isFinite(comparison.budgetSeconds());
    meta.put("budget_seconds", hasBudget ? comparison.budgetSeconds() : null);
    meta.put("complete", outcome.isComplete());
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
              ofWorkloads.forEach((workload, one) -> settings.put(word(workload), one.settings()));
            });
  }

  private static void putResult(ObjectNode node, Pairing line, Outcome outcome) {
    node.put("system", line.contestant());
    node.put("workload", word(line.contest().workload()));
    node.put("wire", outcome.wireOf(line.contestant()).text());
    node.put("size_bytes", line.contest().sizeBytes());
    node.put("rounds", line.samples().size());
    node.put("warmup_seconds", line.warmUp().seconds());
    node.put("steady", line.warmUp().isSteady());
    node.put("messages", line.messages());
    putSpread(node, "messages_per_second", line.messagesPerSecond());
    node.put("megabytes_per_second", line.megabytesPerSecond().median());
    putRoundTrips(node, line);
    putSpread(node, "cpu_seconds", line.cpuSeconds());
    putRatio(node, line);
    putTally(node, outcome.isChecked(line.contestant()) ? line.tally() : null);
  }

  private static void putSpread(ObjectNode node, String name, Spread spread) {
    node.put(name, spread.median());
    node.put(name + "_min", spread.min());
    node.put(name + "_max", spread.max());
  }

  private static void putRoundTrips(ObjectNode node, Pairing line) {
    List<RoundTrips> rounds = line.roundTrips();
    Histogram all = line.allRoundTrips();
    if (all == null || line.hasDistribution()) {
      JsonReport.putRoundTrips(node, rounds);
    } else {
      putMedianOnly(node.putObject("rtt_ns"), Spread.of(rounds, RoundTrips::p50));
    }
    if (all == null || !line.hasDistribution()) {
      node.putNull("rtt_percentiles");
      return;
    }
    ArrayNode curve = node.putArray("rtt_percentiles");
    for (Percentile point : Percentile.of(all)) {
      curve.addArray().add(point.percentile()).add(point.ns());
    }
  }

  /** The others are null: nobody has told them. */
  private static void putMedianOnly(ObjectNode rtt, Spread p50) {
    for (String name : RoundTrips.FIGURES.keySet()) {
      if (name.equals("p50")) {
        putSpread(rtt, name, p50);
      } else {
        rtt.putNull(name).putNull(name + "_min").putNull(name + "_max");
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
    object.put("verdict", word(Objects.requireNonNull(line.verdict())));
    ArrayNode pairs = object.putArray("pairs");
    line.ratios().forEach(pairs::add);
  }

  /** Null where nobody looked. */
  private static void putTally(ObjectNode node, @Nullable Tally tally) {
    if (tally == null) {
      node.putNull("lost").putNull("duplicated").putNull("corrupted").putNull("reordered");
      return;
    }
    node.put("lost", tally.lost());
    node.put("duplicated", tally.duplicated());
    node.put("corrupted", tally.corrupted());
    node.put("reordered", tally.reordered());
  }

  private static void putSkipped(ArrayNode array, Outcome outcome) {
    for (Skipped one : outcome.skipped()) {
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
      node.put("workload", contest == null ? null : word(contest.workload()));
      node.put("size_bytes", contest == null ? null : contest.sizeBytes());
      node.put("reason", one.reason());
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
