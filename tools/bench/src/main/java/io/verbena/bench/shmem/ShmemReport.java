// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.shmem;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.Machine;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.figure.Absent;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Rows;
import io.verbena.bench.plan.SizeText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** OpenSHMEM as tables for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class ShmemReport {

  private ShmemReport() {}

  /** The tables, and who was left out. */
  public static String format(Machine machine, ShmemResult result) {
    StringBuilder text = new StringBuilder();
    text.append("OpenSHMEM between two PEs, and calls of four; medians of rounds\n");
    text.append(machine.describe()).append('\n');
    text.append(Rows.table(ShmemReach.rows(result))).append('\n');
    text.append(table(result));
    text.append(Absent.text(result.skipped(), result.failures()));
    return text.toString();
  }

  /** A row for each call, a column for each side. */
  private static String table(ShmemResult result) {
    List<String> sides = result.series().stream().map(ShmemResult.Series::side).distinct().toList();
    List<String> headings = new ArrayList<>(List.of("", "size"));
    headings.addAll(sides);
    Table table = new Table(headings);
    for (ShmemResult.Call call :
        result.series().stream().map(ShmemResult.Series::call).distinct().toList()) {
      List<String> cells = new ArrayList<>();
      cells.add(call.name());
      cells.add(call.bytes() == 0 ? "-" : SizeText.format((int) call.bytes()));
      sides.forEach(side -> cells.add(cell(result, side, call)));
      table.row(cells);
    }
    return table.toString();
  }

  private static String cell(ShmemResult result, String side, ShmemResult.Call call) {
    ShmemResult.Series series = result.find(side, call);
    return series == null
        ? "-"
        : Figures.nanos(Spread.of(series.nanos(), Double::doubleValue).median());
  }

  /** The throughput of puts and gets of each side, for a plot. */
  public static List<Row> throughputs(ShmemResult result) {
    return result.series().stream()
        .filter(one -> List.of("put", "get", "copy", "copy-from").contains(one.call().name()))
        .map(one -> new Row(one.throughput(null), null))
        .toList();
  }

  /** The results as JSON. */
  public static String toJson(
      Machine machine, String command, boolean isComplete, ShmemResult result) {
    return JsonFields.document(
        machine,
        command,
        isComplete,
        root -> {
          ArrayNode results = root.putArray("results");
          result
              .series()
              .forEach(
                  one -> Rows.put(results, one.side(), List.of(new Row(one.times(null), null))));
          Rows.put(root.putArray("figures"), "shmem", ShmemReach.rows(result));
          Absent.put(root, result.skipped(), result.failures());
        });
  }
}
