// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.plan.SizeText;
import java.util.List;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.node.ObjectNode;

/** Baselines as a table for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class RawReport {

  private RawReport() {}

  /** The table. */
  public static String format(Machine machine, List<RawResult> results) {
    Table table = new Table("baseline", "size", "1/s", "MB/s", "p50", "p99", "max");
    for (RawResult result : results) {
      table.row(
          result.name(),
          SizeText.format(result.sizeBytes()),
          Figures.spread(result.operationsPerSecond(), Figures::count),
          Figures.spread(result.megabytesPerSecond(), Figures::digits),
          roundTrips(result, RoundTrips::p50),
          roundTrips(result, RoundTrips::p99),
          roundTrips(result, RoundTrips::max));
    }
    return "what the machine does without Verbena, min–median–max of rounds\n"
        + machine.describe()
        + "\n"
        + machine.crowd(2, 2)
        + "\n"
        + table;
  }

  private static String roundTrips(RawResult result, ToDoubleFunction<RoundTrips> figure) {
    return result.roundTrips().isEmpty()
        ? "-"
        : Figures.spread(Spread.of(result.roundTrips(), figure), Figures::nanos);
  }

  /** The results as JSON. */
  public static String toJson(
      Machine machine, String command, boolean isComplete, List<RawResult> results) {
    return JsonReport.document(
        machine,
        command,
        isComplete,
        array -> results.forEach(result -> put(array.addObject(), result)));
  }

  private static void put(ObjectNode node, RawResult result) {
    node.put("system", "raw");
    node.put("workload", result.name());
    node.put("size_bytes", result.sizeBytes());
    JsonFields.put(node, "messages_per_second", result.operationsPerSecond());
    JsonFields.put(node, "megabytes_per_second", result.megabytesPerSecond());
    JsonFields.putRoundTrips(node, result.roundTrips());
  }
}
