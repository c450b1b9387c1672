// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import io.verbena.Execution;
import io.verbena.bench.BenchResult;
import io.verbena.bench.Figures;
import io.verbena.bench.Spread;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Direction;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The plots of a matrix. Of each system: rate and throughput over size by sending threads, one way
 * and both ways, and rate by handler threads. Of all systems: rate and throughput of one thread,
 * percentiles of round trips, and all-to-all over nodes. Bars reach from the least to the greatest
 * round.
 */
public final class MatrixPlots {

  /** Small, and not so small that a message is all header. */
  private static final int TYPICAL_BYTES = 64;

  private final Path folder;
  private final String prefix;

  private MatrixPlots(Path folder, String prefix) {
    this.folder = folder;
    this.prefix = prefix;
  }

  /**
   * Writes what there is to show.
   *
   * @param prefix goes before each file's name
   */
  public static void write(List<BenchResult> results, Path folder, String prefix)
      throws IOException {
    new MatrixPlots(folder, prefix).write(results);
  }

  private void write(List<BenchResult> results) throws IOException {
    Map<String, List<BenchResult>> systems =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    MatrixPlots::system, LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<String, List<BenchResult>> system : systems.entrySet()) {
      writeSystem(system.getKey(), system.getValue());
    }
    List<BenchResult> single =
        only(results, result -> isOneWay(result, Direction.UNI) && result.plan().threads() == 1);
    drawRates("systems", "Systems, one thread one way", single, MatrixPlots::system);
    drawPercentiles(results);
    drawAllToAll(results);
  }

  private void writeSystem(String system, List<BenchResult> results) throws IOException {
    String file = system.replace(' ', '-');
    for (Direction direction : Direction.values()) {
      boolean isUni = direction == Direction.UNI;
      drawRates(
          (isUni ? "oneway-" : "bothways-") + file,
          system + (isUni ? ", one way" : ", both ways"),
          only(results, result -> isOneWay(result, direction)),
          result -> counted(result.plan().threads(), "sending thread"));
    }
    List<BenchResult> oneWay =
        only(
            results,
            result ->
                result.plan().workload() == Workload.THROUGHPUT
                    && result.plan().direction() == Direction.UNI);
    int most = oneWay.stream().mapToInt(result -> result.plan().threads()).max().orElse(0);
    drawOverSize(
        "handlers-" + file,
        system + ", one way from " + counted(most, "sending thread"),
        "messages per second",
        Figures::count,
        curves(
            only(oneWay, result -> result.plan().threads() == most),
            result -> "handlers " + HandlerPlace.format(result.plan().handlers()),
            BenchResult::sizeBytes,
            BenchResult::messagesPerSecond));
  }

  private void drawRates(
      String name, String title, List<BenchResult> results, Function<BenchResult, String> curve)
      throws IOException {
    drawOverSize(
        name + "-rate",
        title,
        "messages per second",
        Figures::count,
        curves(results, curve, BenchResult::sizeBytes, BenchResult::messagesPerSecond));
    drawOverSize(
        name + "-throughput",
        title,
        "MB/s",
        Figures::digits,
        curves(results, curve, BenchResult::sizeBytes, BenchResult::megabytesPerSecond));
  }

  private void drawOverSize(
      String name, String title, String unit, Function<Double, String> label, List<Curve> curves)
      throws IOException {
    if (!curves.isEmpty()) {
      new Plot(title, Axes.SIZE, unit, Axes::size, label, true, curves)
          .write(folder, prefix + name);
    }
  }

  private void drawAllToAll(List<BenchResult> results) throws IOException {
    List<BenchResult> all =
        only(
            results,
            result ->
                result.plan().workload() == Workload.ALLTOALL
                    && result.sizeBytes() == TYPICAL_BYTES);
    List<Curve> curves =
        curves(
            all,
            MatrixPlots::system,
            result -> result.plan().nodes(),
            BenchResult::messagesPerSecond);
    if (!curves.isEmpty()) {
      new Plot(
              "All-to-all, %d bytes, all nodes together".formatted(TYPICAL_BYTES),
              "nodes",
              "messages per second",
              Axes::whole,
              Figures::count,
              true,
              false,
              curves)
          .write(folder, prefix + "alltoall");
    }
  }

  private void drawPercentiles(List<BenchResult> results) throws IOException {
    List<Curve> curves =
        results.stream()
            .filter(result -> result.sizeBytes() == TYPICAL_BYTES && result.plan().threads() == 1)
            .filter(result -> !result.percentiles().isEmpty())
            .map(MatrixPlots::distribution)
            .toList();
    if (!curves.isEmpty()) {
      new Plot(
              "Round trips of %d bytes, one thread".formatted(TYPICAL_BYTES),
              Axes.PERCENTILE,
              "round trip",
              Axes::percentile,
              Figures::nanos,
              false,
              curves)
          .write(folder, prefix + "percentiles");
    }
  }

  private static Curve distribution(BenchResult result) {
    BenchPlan plan = result.plan();
    String kind =
        plan.workload() == Workload.LOAD
            ? ", %s/s".formatted(Figures.count(plan.targetPerSecond()))
            : ", closed loop";
    return Axes.distribution(system(result) + kind, result.percentiles());
  }

  private static List<Curve> curves(
      List<BenchResult> results,
      Function<BenchResult, String> curve,
      ToDoubleFunction<BenchResult> x,
      Function<BenchResult, Spread> y) {
    Map<String, Curve> curves = new LinkedHashMap<>();
    for (BenchResult result : results) {
      Spread spread = y.apply(result);
      if (spread.min() > 0) { // else there was too little to time
        curves
            .computeIfAbsent(curve.apply(result), Curve::new)
            .point(x.applyAsDouble(result), spread);
      }
    }
    return new ArrayList<>(curves.values());
  }

  private static boolean isOneWay(BenchResult result, Direction direction) {
    return result.plan().workload() == Workload.THROUGHPUT
        && result.plan().direction() == direction
        && result.plan().handlers() instanceof Execution.Inline;
  }

  private static List<BenchResult> only(List<BenchResult> results, Predicate<BenchResult> which) {
    return results.stream().filter(which).toList();
  }

  private static String system(BenchResult result) {
    return result.plan().system().name();
  }

  private static String counted(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
