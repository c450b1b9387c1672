// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.Workload;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results as JSON; docs/benchmarks.md tells the fields. */
public final class JsonReport {

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
    return JsonFields.document(
        machine,
        command,
        isComplete,
        root -> {
          putResults(root.putArray("results"), results);
          ArrayNode skipped = root.putArray("skipped");
          leftOut.forEach(
              one -> skipped.addObject().put("system", one.system()).put("reason", one.reason()));
        });
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
    return JsonFields.document(
        machine, command, isComplete, root -> results.accept(root.putArray("results")));
  }

  private static void putResult(ObjectNode node, BenchResult result) {
    BenchPlan plan = result.plan();
    node.put("system", "verbena");
    node.put("workload", JsonFields.word(plan.workload()));
    node.put("transport", result.transport());
    node.put("device", plan.system().device()); // null for any, and where there is none
    node.put("nodes", plan.nodes());
    node.put("threads", plan.threads());
    node.put("direction", JsonFields.word(plan.direction()));
    node.put("size_bytes", result.sizeBytes());
    node.put("handlers", HandlerPlace.format(plan.handlers()));
    node.put("path", JsonFields.word(plan.path()));
    node.put("sender", JsonFields.word(plan.lane()));
    node.put("wait", JsonFields.word(plan.waiting()));
    if (plan.ratePerSecond() > 0) {
      node.put("target_per_second", plan.targetPerSecond());
    } else {
      node.putNull("target_per_second");
    }
    node.put("repeat", result.rounds());
    node.put("messages", result.messages());
    putRates(node, result);
    JsonFields.putRoundTrips(node, result.roundTrips());
    JsonFields.putPercentiles(node, result.percentiles());
    JsonFields.put(node, "cpu_seconds", result.cpuSeconds());
    if (plan.workload() == Workload.IDLE) {
      JsonFields.put(node, "idle_cpu_percent", result.cpuPercent());
    } else {
      JsonFields.putUnknown(node, "idle_cpu_percent");
    }
    putMemory(node, result.memory());
    node.put("sender_allocated_bytes_per_message", result.senderBytes());
    node.put("receiver_allocated_bytes_per_message", result.receiverBytes());
    JsonFields.putTally(node, result.tally());
  }

  /** Null where nobody looked, or there were too few connections to tell. */
  private static void putMemory(ObjectNode node, @Nullable ConnectionMemory memory) {
    ConnectionMemory.Measured measured = memory == null ? null : memory.measured();
    node.put("connection_memory_bytes", memory == null ? null : (Long) memory.toldBytes());
    node.put("connection_native_bytes", measured == null ? null : (Long) measured.nativeBytes());
    node.put("connection_heap_bytes", measured == null ? null : (Long) measured.heapBytes());
  }

  private static void putRates(ObjectNode node, BenchResult result) {
    putRate(node, "messages_per_second", result.messagesPerSecond());
    putRate(node, "megabytes_per_second", result.megabytesPerSecond());
  }

  /** Null where a round had too few messages to time. */
  private static void putRate(ObjectNode node, String name, Spread rate) {
    if (rate.min() > 0) {
      JsonFields.put(node, name, rate);
    } else {
      JsonFields.putUnknown(node, name);
    }
  }
}
