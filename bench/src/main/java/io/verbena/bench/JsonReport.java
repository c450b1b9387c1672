// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results as JSON; docs/benchmarks.md tells the fields. */
public final class JsonReport {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private JsonReport() {}

  /**
   * The text.
   *
   * @param isComplete false if the run was interrupted
   */
  public static String format(
      Machine machine, String command, boolean isComplete, List<BenchResult> results) {
    return document(machine, command, isComplete, array -> putResults(array, results));
  }

  /** The text of results of several systems, with those that were left out. */
  public static String format(
      Machine machine,
      String command,
      boolean isComplete,
      List<BenchResult> results,
      List<LeftOut> leftOut) {
    ObjectNode root = root(machine, command, isComplete);
    putResults(root.putArray("results"), results);
    ArrayNode skipped = root.putArray("skipped");
    leftOut.forEach(
        one -> skipped.addObject().put("system", one.system()).put("reason", one.reason()));
    return text(root);
  }

  private static void putResults(ArrayNode array, List<BenchResult> results) {
    results.forEach(result -> putResult(array.addObject(), result));
  }

  /**
   * A document of other results, under the same heading.
   *
   * @param isComplete false if the run was interrupted
   */
  public static String document(
      Machine machine, String command, boolean isComplete, Consumer<ArrayNode> results) {
    ObjectNode root = root(machine, command, isComplete);
    results.accept(root.putArray("results"));
    return text(root);
  }

  private static ObjectNode root(Machine machine, String command, boolean isComplete) {
    ObjectNode root = MAPPER.createObjectNode();
    putMeta(root.putObject("meta").put("complete", isComplete), machine, command);
    return root;
  }

  private static String text(ObjectNode root) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }

  /** A median under its name, the least and the greatest under {@code …_min} and {@code …_max}. */
  public static void put(ObjectNode node, String name, Spread spread) {
    node.put(name, spread.median());
    node.put(name + "_min", spread.min());
    node.put(name + "_max", spread.max());
  }

  private static void putMeta(ObjectNode meta, Machine machine, String command) {
    meta.put("commit", machine.commit());
    meta.put("jdk", machine.jdk());
    meta.put("cpu", machine.cpu());
    meta.put("cores", machine.cores());
    meta.put("kernel", machine.kernel());
    meta.put("command", command);
  }

  private static void putResult(ObjectNode node, BenchResult result) {
    BenchPlan plan = result.plan();
    node.put("system", "verbena");
    node.put("workload", word(plan.workload()));
    node.put("transport", result.transport());
    node.put("device", plan.system().device()); // null for any, and where there is none
    node.put("nodes", plan.nodes());
    node.put("threads", plan.threads());
    node.put("direction", word(plan.direction()));
    node.put("size_bytes", result.sizeBytes());
    node.put("handlers", HandlerPlace.format(plan.handlers()));
    node.put("path", word(plan.path()));
    node.put("sender", word(plan.lane()));
    node.put("wait", word(plan.waiting()));
    if (plan.ratePerSecond() > 0) {
      node.put("target_per_second", plan.targetPerSecond());
    } else {
      node.putNull("target_per_second");
    }
    node.put("repeat", result.rounds());
    node.put("messages", result.messages());
    putRates(node, result);
    putRoundTrips(node, result.roundTrips());
    putPercentiles(node, result.percentiles());
    put(node, "cpu_seconds", result.cpuSeconds());
    if (plan.workload() == Workload.IDLE) {
      put(node, "idle_cpu_percent", result.cpuPercent());
    } else {
      node.putNull("idle_cpu_percent");
    }
    node.put("sender_allocated_bytes_per_message", result.senderBytes());
    node.put("receiver_allocated_bytes_per_message", result.receiverBytes());
    putTally(node, result.tally());
  }

  private static void putRates(ObjectNode node, BenchResult result) {
    putRate(node, "messages_per_second", result.messagesPerSecond());
    putRate(node, "megabytes_per_second", result.megabytesPerSecond());
  }

  /** Null where a round had too few messages to time. */
  private static void putRate(ObjectNode node, String name, Spread rate) {
    if (rate.min() > 0) {
      put(node, name, rate);
    } else {
      node.putNull(name).putNull(name + "_min").putNull(name + "_max");
    }
  }

  /** The spread of every figure of round trips; null if there were none. */
  public static void putRoundTrips(ObjectNode node, List<RoundTrips> rounds) {
    if (rounds.isEmpty()) {
      node.putNull("rtt_ns");
      return;
    }
    ObjectNode rtt = node.putObject("rtt_ns");
    RoundTrips.FIGURES.forEach((name, figure) -> put(rtt, name, Spread.of(rounds, figure)));
  }

  /** Null where there were too few round trips. */
  private static void putPercentiles(ObjectNode node, List<Percentile> percentiles) {
    if (percentiles.isEmpty()) {
      node.putNull("rtt_percentiles");
      return;
    }
    ArrayNode points = node.putArray("rtt_percentiles");
    percentiles.forEach(point -> points.addArray().add(point.percentile()).add(point.ns()));
  }

  private static void putTally(ObjectNode node, Tally tally) {
    node.put("lost", tally.lost());
    node.put("duplicated", tally.duplicated());
    node.put("corrupted", tally.corrupted());
    node.put("reordered", tally.reordered());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
