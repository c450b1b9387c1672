// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.verify.Tally;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Results as a table for a terminal. */
public final class TextReport {

  private static final List<String> ROUND_TRIPS =
      List.of("requests/s", "mean", "p50", "p95", "p99", "p99.9", "max", "CPU s", "requests");

  private TextReport() {}

  /** What was measured, on what, the figures, and whether every message arrived as it should. */
  public static String format(Machine machine, List<BenchResult> results) {
    StringBuilder text = new StringBuilder(machine.describe() + "\n");
    for (List<BenchResult> alike : byHeading(results)) {
      text.append(section(machine, alike));
    }
    return text + verdict(results);
  }

  /** Results that differ in the size alone stand together. */
  private static Collection<List<BenchResult>> byHeading(List<BenchResult> results) {
    return results.stream()
        .collect(
            Collectors.groupingBy(TextReport::heading, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  private static String section(Machine machine, List<BenchResult> results) {
    BenchResult first = results.getFirst();
    return heading(first) + circumstances(machine, first.plan()) + "\n" + table(results) + "\n";
  }

  private static String heading(BenchResult result) {
    BenchPlan plan = result.plan();
    return """
    %s over %s%s (%s)
    %d nodes, %d sending thread%s, direction %s, %ss on %s lanes, handlers %s, wait %s
    """
        .formatted(
            plan.workload().label(),
            result.transport(),
            plan.system().deviceText(),
            result.transportReason(),
            plan.nodes(),
            plan.threads(),
            plan.threads() == 1 ? "" : "s",
            JsonFields.word(plan.direction()),
            JsonFields.word(plan.path()),
            JsonFields.word(plan.lane()),
            HandlerPlace.format(plan.handlers()),
            JsonFields.word(plan.waiting()));
  }

  private static String circumstances(Machine machine, BenchPlan plan) {
    return (plan.system().isInOneProcess() ? "all nodes in one process\n" : "")
        + machine.crowd(plan.nodes(), plan.topology().busyThreads(plan.threads()))
        + (plan.repeat() == 1 ? "one round\n" : "min–median–max of rounds\n");
  }

  private static Table table(List<BenchResult> results) {
    return switch (results.getFirst().plan().workload()) {
      case THROUGHPUT, ALLTOALL -> rates(results);
      case LATENCY -> roundTrips(results);
      case LOAD -> loads(results);
      case IDLE -> idle(results);
    };
  }

  private static Table rates(List<BenchResult> results) {
    Table table =
        new Table(
            "size", "rounds", "msg/s", "MB/s", "CPU s", "B/msg sender", "receiver", "messages");
    for (BenchResult result : results) {
      table.row(
          SizeText.format(result.sizeBytes()),
          Integer.toString(result.rounds()),
          Figures.spread(result.messagesPerSecond(), Figures::rate),
          Figures.spread(result.megabytesPerSecond(), Figures::rate),
          Figures.spread(result.cpuSeconds(), Figures::digits),
          Figures.digits(result.senderBytes()),
          result.plan().system().isInOneProcess() ? "-" : Figures.digits(result.receiverBytes()),
          Figures.count(result.messages()));
    }
    return table;
  }

  private static Table roundTrips(List<BenchResult> results) {
    Table table = new Table(with("size", ROUND_TRIPS));
    for (BenchResult result : results) {
      table.row(with(SizeText.format(result.sizeBytes()), roundTrips(result)));
    }
    return table;
  }

  /** As round trips, and the rate at which requests were meant to be sent by all nodes. */
  private static Table loads(List<BenchResult> results) {
    Table table = new Table(with("size", with("meant/s", ROUND_TRIPS)));
    for (BenchResult result : results) {
      String meant = Figures.count(result.plan().targetPerSecond());
      table.row(with(SizeText.format(result.sizeBytes()), with(meant, roundTrips(result))));
    }
    return table;
  }

  private static List<String> with(String first, List<String> others) {
    List<String> cells = new ArrayList<>(List.of(first));
    cells.addAll(others);
    return cells;
  }

  private static List<String> roundTrips(BenchResult result) {
    List<String> cells = new ArrayList<>();
    cells.add(Figures.spread(result.messagesPerSecond(), Figures::rate));
    for (ToDoubleFunction<RoundTrips> figure : RoundTrips.FIGURES.values()) {
      cells.add(
          result.roundTrips().isEmpty()
              ? "-"
              : Figures.spread(Spread.of(result.roundTrips(), figure), Figures::nanos));
    }
    cells.add(Figures.spread(result.cpuSeconds(), Figures::digits));
    cells.add(Figures.count(result.messages()));
    return cells;
  }

  private static Table idle(List<BenchResult> results) {
    Table table =
        new Table(
            "idle node, % of a core",
            "first request after",
            "a connection says it takes",
            "and is measured to: native",
            "heap");
    for (BenchResult result : results) {
      table.row(
          Figures.spread(result.cpuPercent(), Figures::digits),
          result.roundTrips().isEmpty()
              ? "-"
              : Figures.spread(Spread.of(result.roundTrips(), RoundTrips::p50), Figures::nanos),
          memory(result.memory(), ConnectionMemory::toldBytes),
          memory(measured(result), ConnectionMemory.Measured::nativeBytes),
          memory(measured(result), ConnectionMemory.Measured::heapBytes));
    }
    return table;
  }

  private static ConnectionMemory.@Nullable Measured measured(BenchResult result) {
    return result.memory() == null ? null : result.memory().measured();
  }

  private static <T> String memory(@Nullable T of, ToLongFunction<T> bytes) {
    return of == null ? "-" : Figures.digits(bytes.applyAsLong(of) / 1024.0) + " KiB";
  }

  private static String verdict(List<BenchResult> results) {
    Tally all = results.stream().map(BenchResult::tally).reduce(Tally.NONE, Tally::plus);
    return all.isClean()
        ? "All %s messages arrived once, whole and in order, warm-up included.%n"
            .formatted(Figures.count(all.expected()))
        : results.stream()
            .filter(result -> !result.tally().isClean())
            .map(TextReport::wrong)
            .collect(Collectors.joining());
  }

  private static String wrong(BenchResult result) {
    BenchPlan plan = result.plan();
    return "WRONG: %s over %s%s, %d nodes, %s bytes: %s.%n"
        .formatted(
            plan.name(),
            result.transport(),
            plan.system().deviceText(),
            plan.nodes(),
            SizeText.format(result.sizeBytes()),
            result.tally().wrongs());
  }
}
