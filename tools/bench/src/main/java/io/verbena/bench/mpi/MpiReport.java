// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.Machine;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.figure.Absent;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Rows;
import io.verbena.bench.plan.SizeText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/** MPI as tables for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class MpiReport {

  private static final String UNKNOWN = "-";

  private MpiReport() {}

  /** The tables, and who was left out. */
  public static String format(Machine machine, MpiResult result) {
    MpiPlan plan = result.plan();
    StringBuilder text = new StringBuilder();
    text.append(
        "MPI over %s; medians of %d rounds of each side in turn\n"
            .formatted(plan.transport(), plan.pairs()));
    text.append(machine.describe()).append('\n');
    List<Row> reaches = MpiReach.rows(result);
    if (!reaches.isEmpty()) {
      text.append(Rows.table(reaches));
    }
    text.append(
        "\nthere and back, 2 ranks, and calls of %d ranks; in brackets how many times as long as by the device\n"
            .formatted(MpiPlan.ALL));
    text.append(table(result));
    text.append(Absent.text(result.skipped(), result.failures()));
    return text.toString();
  }

  /** A row for each figure that somebody has, a column for each side. */
  private static String table(MpiResult result) {
    List<String> sides = result.series().stream().map(MpiResult.Series::side).distinct().toList();
    List<String> headings = new ArrayList<>(List.of("", "size", ""));
    headings.addAll(sides);
    Table table = new Table(headings);
    result.series().stream()
        .map(MpiResult.Series::what)
        .distinct()
        .forEach(what -> addRows(table, result, sides, what));
    return table.toString();
  }

  private static void addRows(
      Table table, MpiResult result, List<String> sides, MpiPlan.Measured what) {
    for (MpiResult.Of of : MpiResult.Of.values()) {
      List<String> cells = new ArrayList<>();
      cells.add(what.operation().text());
      cells.add(what.sizeBytes() == 0 ? UNKNOWN : SizeText.format(what.sizeBytes()));
      cells.add(of.text());
      List<String> figures = sides.stream().map(side -> cell(result, side, what, of)).toList();
      cells.addAll(figures);
      if (!figures.stream().allMatch(UNKNOWN::equals)) {
        table.row(cells);
      }
    }
  }

  private static String cell(
      MpiResult result, String side, MpiPlan.Measured what, MpiResult.Of of) {
    MpiResult.Series series = result.find(side, what);
    if (series == null || !series.has(of)) {
      return UNKNOWN;
    }
    Figure figure = series.times(of, beside(result, series, of));
    String text = Figures.nanos(figure.value().median());
    List<Double> ratios = figure.ratios();
    return ratios.isEmpty()
        ? text
        : "%s (%s)"
            .formatted(text, Figures.digits(Spread.of(ratios, Double::doubleValue).median()));
  }

  /** The device's, for whoever is not the device. */
  private static MpiResult.@Nullable Series beside(
      MpiResult result, MpiResult.Series series, MpiResult.Of of) {
    MpiResult.Series device = result.find(Sides.DEVICE, series.what());
    if (device == null || device == series || !device.has(of)) {
      return null;
    }
    return device.rounds().size() == series.rounds().size() ? device : null;
  }

  /** The throughput of round trips of each side, for a plot. */
  public static List<Row> throughputs(MpiResult result) {
    return result.series().stream()
        .filter(one -> one.what().operation() == Operation.PING_PONG && one.what().sizeBytes() > 0)
        .map(one -> new Row(one.throughput(null), null))
        .toList();
  }

  /** The results as JSON. */
  public static String toJson(
      Machine machine, String command, boolean isComplete, MpiResult result) {
    return JsonFields.document(
        machine,
        command,
        isComplete,
        root -> {
          root.put("transport", result.plan().transport());
          putResults(root.putArray("results"), result);
          Rows.put(root.putArray("figures"), "mpi", MpiReach.rows(result));
          Absent.put(root, result.skipped(), result.failures());
        });
  }

  private static void putResults(ArrayNode results, MpiResult result) {
    for (MpiResult.Series series : result.series()) {
      for (MpiResult.Of of : MpiResult.Of.values()) {
        if (series.has(of)) {
          Figure figure = series.times(of, beside(result, series, of));
          Rows.put(results, series.side(), List.of(new Row(figure, null)));
        }
      }
    }
  }
}
