// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.bench.JsonFields;
import io.verbena.bench.Machine;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.figure.Absent;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Rows;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** Figures of stores as tables for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class KvReport {

  private KvReport() {}

  /** The tables, and who was left out. */
  public static String format(Machine machine, KvPlan plan, KvResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        "Stores: %d MiB of data, caches of a quarter, %d threads, %s; medians of rounds%n"
            .formatted(
                plan.dataBytes() >> 20,
                plan.threads(),
                plan.sync() ? "each write synced" : "writes not synced"));
    text.append(machine.describe()).append('\n');
    text.append(Rows.table(KvReach.rows(result))).append('\n');
    text.append(table(result));
    text.append(Absent.text(result.skipped(), result.failures()));
    return text.toString();
  }

  /** A row for each measure, a column for each engine. */
  private static String table(KvResult result) {
    List<String> engines =
        result.series().stream().map(KvResult.Series::engine).distinct().toList();
    List<String> headings = new ArrayList<>(List.of(""));
    headings.addAll(engines);
    Table table = new Table(headings);
    for (KvResult.Subject subject :
        result.series().stream().map(KvResult.Series::subject).distinct().toList()) {
      List<String> cells = new ArrayList<>(List.of(subject.text()));
      engines.forEach(engine -> cells.add(cell(result, engine, subject)));
      table.row(cells);
    }
    return table.toString();
  }

  private static String cell(KvResult result, String engine, KvResult.Subject subject) {
    KvResult.Series series = result.find(engine, subject);
    return series == null
        ? "-"
        : subject.measure().unit().format(Spread.of(series.values(), Double::doubleValue).median());
  }

  /** The results as JSON. */
  public static String toJson(
      Machine machine, String command, boolean isComplete, KvResult result) {
    return JsonFields.document(
        machine,
        command,
        isComplete,
        root -> {
          ArrayNode results = root.putArray("results");
          result
              .series()
              .forEach(
                  one -> Rows.put(results, one.engine(), List.of(new Row(one.figure(null), null))));
          Rows.put(root.putArray("figures"), "kv", KvReach.rows(result));
          Absent.put(root, result.skipped(), result.failures());
        });
  }
}
