// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.bench.JsonReport;
import io.verbena.bench.Machine;
import io.verbena.bench.Spread;
import io.verbena.bench.Table;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A result as a table for a terminal, and as JSON; docs/benchmarks.md tells the fields. */
public final class BfsReport {

  private BfsReport() {}

  /** What was measured, on what, the figures, and whether every tree is right. */
  public static String format(Machine machine, BfsResult result) {
    return heading(machine, result)
        + shortage(result)
        + "\n"
        + table(result)
        + "\n"
        + verdict(result);
  }

  /** A line if the graph has fewer roots than were asked for, else nothing. */
  private static String shortage(BfsResult result) {
    int asked = result.plan().roots();
    return result.plannedSearches() == asked
        ? ""
        : "%d roots were asked for: only %d vertices have a neighbour%n"
            .formatted(asked, result.plannedSearches());
  }

  private static String heading(Machine machine, BfsResult result) {
    BfsPlan plan = result.plan();
    Kronecker graph = plan.generator();
    String crowd =
        machine.crowd(plan.nodes(), 2 * plan.nodes())
            + (plan.system().isInOneProcess() ? "all nodes in one process\n" : "");
    return """
    breadth-first search over %s%s (%s)
    scale %d, edge factor %d: %d vertices, %d edges; %d nodes, seed %d
    %s
    %sconstruction: %s, %s messages (%s/s), CPU %s s
    """
        .formatted(
            result.transport(),
            plan.system().deviceText(),
            result.transportReason(),
            plan.scale(),
            plan.edgeFactor(),
            graph.vertices(),
            graph.edges(),
            plan.nodes(),
            plan.seed(),
            machine.describe(),
            crowd,
            Figures.nanos(result.constructionSeconds() * 1e9),
            Figures.count(result.constructionMessages()),
            Figures.count(result.constructionMessages() / result.constructionSeconds()),
            Figures.digits(result.constructionCpuSeconds()));
  }

  private static Table table(BfsResult result) {
    Table table =
        new Table(
            "of %d searches".formatted(result.searches().size()),
            "min",
            "1st quartile",
            "median",
            "3rd quartile",
            "max",
            "mean",
            "±");
    row(table, "traversed edges/s", result.teps(), 1);
    row(table, "traversed edges", result.edges(), 1);
    row(table, "time, ms", result.seconds(), 1e3);
    row(table, "messages/s", result.messagesPerSecond());
    row(table, "CPU s, all nodes", result.cpuSeconds());
    return table;
  }

  private static void row(Table table, String name, TepsStatistics of, double factor) {
    table.row(
        name,
        Figures.count(of.min() * factor),
        Figures.count(of.firstQuartile() * factor),
        Figures.count(of.median() * factor),
        Figures.count(of.thirdQuartile() * factor),
        Figures.count(of.max() * factor),
        Figures.count(of.mean() * factor),
        Figures.count(of.deviation() * factor));
  }

  private static void row(Table table, String name, Spread of) {
    table.row(
        name,
        Figures.count(of.min()),
        "",
        Figures.count(of.median()),
        "",
        Figures.count(of.max()),
        "",
        "");
  }

  private static String verdict(BfsResult result) {
    String mean = "The mean of edges/s is harmonic, ± its standard error.\n";
    if (result.isValid()) {
      return mean
          + "All %d trees passed the 5 checks; every vertex message arrived once and unchanged.%n"
              .formatted(result.searches().size());
    }
    StringBuilder text = new StringBuilder(mean);
    for (SearchResult search : result.searches()) {
      for (String fault : search.faults()) {
        text.append("WRONG: search from %d: %s%n".formatted(search.root(), fault));
      }
    }
    return text.toString();
  }

  /** The result as JSON. */
  public static String toJson(Machine machine, String command, BfsResult result) {
    boolean isComplete = result.searches().size() == result.plannedSearches();
    return JsonReport.document(
        machine, command, isComplete, results -> put(results.addObject(), result));
  }

  private static void put(ObjectNode node, BfsResult result) {
    BfsPlan plan = result.plan();
    node.put("system", "verbena");
    node.put("workload", "bfs");
    node.put("transport", result.transport());
    node.put("device", plan.system().device());
    node.put("nodes", plan.nodes());
    node.put("scale", plan.scale());
    node.put("edge_factor", plan.edgeFactor());
    node.put("seed", plan.seed());
    node.put("roots_asked", plan.roots());
    node.put("roots", result.plannedSearches());
    node.put("construction_seconds", result.constructionSeconds());
    node.put("construction_messages", result.constructionMessages());
    node.put("construction_cpu_seconds", result.constructionCpuSeconds());
    put(node.putObject("teps"), "harmonic_", result.teps());
    put(node.putObject("seconds"), "", result.seconds());
    put(node.putObject("edges"), "", result.edges());
    JsonFields.put(node, "messages_per_second", result.messagesPerSecond());
    JsonFields.put(node, "cpu_seconds", result.cpuSeconds());
    node.put("messages", result.messages());
    node.put("valid", result.isValid());
    putSearches(node.putArray("searches"), result.searches());
  }

  private static void put(ObjectNode node, String kind, TepsStatistics of) {
    node.put("min", of.min());
    node.put("firstquartile", of.firstQuartile());
    node.put("median", of.median());
    node.put("thirdquartile", of.thirdQuartile());
    node.put("max", of.max());
    node.put(kind + "mean", of.mean());
    node.put(kind + "stddev", of.deviation());
  }

  private static void putSearches(ArrayNode array, List<SearchResult> searches) {
    for (SearchResult search : searches) {
      ObjectNode node = array.addObject();
      node.put("root", search.root());
      node.put("vertices", search.vertices());
      node.put("edges", search.edges());
      node.put("seconds", search.seconds());
      node.put("teps", search.teps());
      node.put("messages", search.messages());
      node.put("cpu_seconds", search.cpuSeconds());
      ArrayNode faults = node.putArray("faults");
      search.faults().forEach(faults::add);
    }
  }
}
