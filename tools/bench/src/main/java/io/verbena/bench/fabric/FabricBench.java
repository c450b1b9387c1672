// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.fabric;

import io.verbena.bench.Progress;
import io.verbena.bench.Spread;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.NativeFigures;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Unit;
import io.verbena.bench.process.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/**
 * Measures one-sided operations: from C by {@code vbn-fabric-perf}, then puts from Java, a round of
 * each in turn.
 */
public final class FabricBench {

  private static final String PUT = "put, p50";
  private static final String PUTS = "puts one at a time";
  private static final long SMALL_BYTES = 64;
  private static final long LARGE_BYTES = 64 << 10;

  /** As many as vbn-fabric-perf has, of which the median is taken. */
  private static final int ROUNDS = 15;

  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);

  private final Tool tool;
  private final String device;
  private final int pairs;
  private final Progress progress;
  private final List<Row> rows = new ArrayList<>();

  private FabricBench(Tool tool, String device, int pairs, Progress progress) {
    this.tool = tool;
    this.device = device;
    this.pairs = pairs;
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @param tool vbn-fabric-perf
   * @param device a verbs device's name
   * @param pairs of rounds of C and of Java
   * @param soFar is given the rows that there are
   * @throws BenchException if something cannot be measured
   */
  public static List<Row> run(
      Tool tool, String device, int pairs, Progress progress, Consumer<List<Row>> soFar)
      throws InterruptedException {
    FabricBench bench = new FabricBench(tool, device, pairs, progress);
    progress.begins(1 + pairs);
    bench.measureC();
    soFar.accept(List.copyOf(bench.rows));
    bench.measureJava();
    soFar.accept(List.copyOf(bench.rows));
    return List.copyOf(bench.rows);
  }

  private void measureC() throws InterruptedException {
    progress.roundBegins("one-sided operations from C");
    NativeFigures.measure(tool, device, "--json").forEach(this::add);
    progress.roundEnds();
  }

  private void measureJava() throws InterruptedException {
    List<Double> times = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    List<Double> timesOfC = new ArrayList<>();
    List<Double> ratesOfC = new ArrayList<>();
    try (JavaPuts puts = JavaPuts.open(device)) {
      warmUp(puts);
      for (int pair = 0; pair < pairs; pair++) {
        progress.roundBegins("puts from C and from Java");
        if (pair % 2 == 0) {
          measureJava(puts, times, rates);
          measurePutsOfC(timesOfC, ratesOfC);
        } else {
          measurePutsOfC(timesOfC, ratesOfC);
          measureJava(puts, times, rates);
        }
        progress.roundEnds();
      }
    }
    add(java(PUT, SMALL_BYTES, Unit.NANOSECONDS, times, timesOfC));
    add(java(PUTS, LARGE_BYTES, Unit.BYTES_PER_SECOND, rates, ratesOfC));
  }

  private Figure java(String what, long bytes, Unit unit, List<Double> own, List<Double> ofC) {
    return new Figure(
        what + FabricReach.FROM_JAVA, bytes, device, unit, own, new Figure.Partner("C", ofC));
  }

  private static void warmUp(JavaPuts puts) {
    for (long endNs = System.nanoTime() + WARM_UP_NS; System.nanoTime() - endNs < 0; ) {
      puts.medianNs(SMALL_BYTES);
      puts.bytesPerSecond(LARGE_BYTES);
    }
  }

  private static void measureJava(JavaPuts puts, List<Double> times, List<Double> rates) {
    times.add(median(() -> puts.medianNs(SMALL_BYTES)));
    rates.add(median(() -> puts.bytesPerSecond(LARGE_BYTES)));
  }

  private static double median(DoubleSupplier round) {
    return Spread.of(DoubleStream.generate(round).limit(ROUNDS).toArray()).median();
  }

  private void measurePutsOfC(List<Double> times, List<Double> rates) throws InterruptedException {
    List<Figure> figures = NativeFigures.measure(tool, device, "--json", "--puts");
    times.add(medianOf(figures, PUT));
    rates.add(medianOf(figures, PUTS));
  }

  private double medianOf(List<Figure> figures, String what) {
    for (Figure figure : figures) {
      if (figure.what().equals(what)) {
        return figure.value().median();
      }
    }
    throw new BenchException(tool.path() + " --puts tells nothing of '" + what + "'");
  }

  private void add(Figure figure) {
    rows.add(new Row(figure, FabricReach.of(figure)));
  }
}
