// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Locale;

/** Results as a table for a terminal. */
public final class TextReport {

  private TextReport() {}

  /** What was measured, on what, the figures, and whether every message arrived as it should. */
  public static String format(Machine machine, List<BenchResult> results) {
    BenchResult first = results.getFirst();
    return heading(first)
        + circumstances(machine, first.plan())
        + "\n"
        + table(results)
        + "\n"
        + verdict(results);
  }

  private static String heading(BenchResult result) {
    BenchPlan plan = result.plan();
    return """
    %s over %s (%s)
    %d nodes, %d sending thread%s, direction %s, %ss on %s lanes, handlers %s, wait %s
    """
        .formatted(
            word(plan.workload()),
            result.transport(),
            result.transportReason(),
            plan.nodes(),
            plan.threads(),
            plan.threads() == 1 ? "" : "s",
            word(plan.direction()),
            word(plan.path()),
            word(plan.lane()),
            HandlerPlace.format(plan.handlers()),
            word(plan.waiting()));
  }

  private static String circumstances(Machine machine, BenchPlan plan) {
    String processes = plan.isInOneProcess() ? "all nodes in one process\n" : "";
    return machine.describe()
        + "\n"
        + processes
        + machine.crowd(plan.nodes(), plan.topology().busyThreads(plan.threads()))
        + (plan.repeat() == 1
            ? "one round\n"
            : "medians of %d rounds (min–max)%n".formatted(plan.repeat()));
  }

  private static Table table(List<BenchResult> results) {
    return switch (results.getFirst().plan().workload()) {
      case THROUGHPUT, ALLTOALL -> rates(results);
      case LATENCY, LOAD -> roundTrips(results);
      case IDLE -> idle(results);
    };
  }

  private static Table rates(List<BenchResult> results) {
    Table table =
        new Table(
            "size", "msg/s", "(min–max)", "MB/s", "CPU s", "B/msg sender", "receiver", "messages");
    for (BenchResult result : results) {
      Spread rate = result.messagesPerSecond();
      table.row(
          SizeText.format(result.sizeBytes()),
          Figures.count(rate.median()),
          "(" + Figures.count(rate.min()) + "–" + Figures.count(rate.max()) + ")",
          Figures.digits(result.megabytesPerSecond().median()),
          Figures.digits(result.cpuSeconds().median()),
          Figures.digits(result.senderBytes()),
          result.plan().isInOneProcess() ? "-" : Figures.digits(result.receiverBytes()),
          Figures.count(result.messages()));
    }
    return table;
  }

  private static Table roundTrips(List<BenchResult> results) {
    Table table =
        new Table(
            "size", "requests/s", "mean", "p50", "p95", "p99", "p99.9", "max", "CPU s", "requests");
    for (BenchResult result : results) {
      RoundTrips ns = result.roundTrips();
      if (ns != null) {
        table.row(
            SizeText.format(result.sizeBytes()),
            Figures.count(result.messagesPerSecond().median()),
            Figures.nanos(ns.mean()),
            Figures.nanos(ns.p50()),
            Figures.nanos(ns.p95()),
            Figures.nanos(ns.p99()),
            Figures.nanos(ns.p999()),
            Figures.nanos(ns.max()),
            Figures.digits(result.cpuSeconds().median()),
            Figures.count(result.messages()));
      }
    }
    return table;
  }

  private static Table idle(List<BenchResult> results) {
    Table table = new Table("idle node", "(min–max)", "first request after");
    for (BenchResult result : results) {
      Spread percent = result.cpuPercent();
      RoundTrips ns = result.roundTrips();
      table.row(
          Figures.digits(percent.median()) + " % of a core",
          "(" + Figures.digits(percent.min()) + "–" + Figures.digits(percent.max()) + ")",
          ns == null ? "-" : Figures.nanos(ns.p50()));
    }
    return table;
  }

  private static String verdict(List<BenchResult> results) {
    Tally tally = results.stream().map(BenchResult::tally).reduce(Tally.NONE, Tally::plus);
    return tally.isClean()
        ? "All %s messages arrived once, whole and in order, warm-up included.%n"
            .formatted(Figures.count(tally.expected()))
        : "WRONG: of %d messages %d were lost, %d duplicated, %d corrupted, %d out of order.%n"
            .formatted(
                tally.expected(),
                tally.lost(),
                tally.duplicated(),
                tally.corrupted(),
                tally.reordered());
  }

  private static String word(Enum<?> value) {
    return value == Workload.ALLTOALL ? "all-to-all" : value == Workload.LOAD ? "open-loop load" : value.name().toLowerCase(Locale.ROOT);
  }
}
