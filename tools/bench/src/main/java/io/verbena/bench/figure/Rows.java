// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import io.verbena.bench.compare.CompareJson;
import io.verbena.bench.compare.MedianInterval;
import io.verbena.bench.compare.Verdict;
import io.verbena.bench.plan.SizeText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rows as a table for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class Rows {

  private Rows() {}

  /** The table. */
  public static String table(List<Row> rows) {
    Table table =
        new Table(
            "",
            "size",
            "way",
            "median",
            "(min–max)",
            "beside",
            "ratio",
            "(" + Verdict.level() + ")",
            "reach",
            "");
    for (Row row : rows) {
      Figure figure = row.figure();
      Spread value = figure.value();
      Reach reach = row.reach();
      table.row(
          figure.what(),
          size(figure),
          figure.way(),
          figure.unit().format(value.median()),
          "(%s–%s)".formatted(figure.unit().format(value.min()), figure.unit().format(value.max())),
          beside(figure),
          ratio(figure),
          interval(figure.interval()),
          reach == null ? "" : reach.text(figure),
          verdict(row.isReached()));
    }
    return table.toString();
  }

  /** What a row is about, for people: {@code put, p50, 64}. */
  public static String name(Row row) {
    return row.figure().what() + ", " + size(row.figure());
  }

  private static String size(Figure figure) {
    return figure.sizeBytes() == 0 ? "-" : SizeText.format((int) figure.sizeBytes());
  }

  private static String beside(Figure figure) {
    Figure.Partner partner = figure.partner();
    return partner == null
        ? ""
        : partner.what() + " " + figure.unit().format(partner.value().median());
  }

  private static String ratio(Figure figure) {
    List<Double> ratios = figure.ratios();
    return ratios.isEmpty() ? "" : Figures.digits(Spread.of(ratios, Double::doubleValue).median());
  }

  private static String interval(@Nullable MedianInterval interval) {
    return interval == null
        ? ""
        : "(%s–%s)".formatted(Figures.digits(interval.low()), Figures.digits(interval.high()));
  }

  private static String verdict(@Nullable Boolean isReached) {
    return isReached == null ? "" : isReached ? "reached" : "MISSED";
  }

  /** Adds them to the results of a document. */
  public static void put(ArrayNode results, String system, List<Row> rows) {
    rows.forEach(row -> put(results.addObject().put("system", system), row));
  }

  private static void put(ObjectNode node, Row row) {
    Figure figure = row.figure();
    node.put("workload", figure.what());
    node.put("size_bytes", figure.sizeBytes());
    node.put("way", figure.way());
    node.put("unit", figure.unit().text());
    node.put("rounds", figure.values().size());
    JsonFields.put(node, "value", figure.value());
    putRatio(node, figure);
    putReach(node, row);
  }

  private static void putRatio(ObjectNode node, Figure figure) {
    Figure.Partner partner = figure.partner();
    if (partner == null) {
      node.putNull("ratio");
      return;
    }
    ObjectNode ratio = node.putObject("ratio");
    ratio.put("baseline", partner.what());
    JsonFields.put(ratio, "baseline_value", partner.value());
    Spread spread = Spread.of(figure.ratios(), Double::doubleValue);
    ratio.put("median", spread.median()).put("min", spread.min()).put("max", spread.max());
    CompareJson.putInterval(ratio, figure.interval());
    ArrayNode pairs = ratio.putArray("pairs");
    figure.ratios().forEach(pairs::add);
  }

  private static void putReach(ObjectNode node, Row row) {
    Reach reach = row.reach();
    if (reach == null) {
      node.putNull("reach").putNull("reached");
      return;
    }
    ObjectNode object = node.putObject("reach");
    object.put("of", JsonFields.word(reach.of())).put(JsonFields.word(reach.side()), reach.limit());
    node.put("reached", row.isReached());
  }
}
