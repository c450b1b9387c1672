// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.Progress;
import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.node.Reports;
import io.verbena.bench.plan.SizeText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Measures the baselines. */
public final class Raw {

  private static final List<Integer> SIZES = List.of(64, 1 << 10, 64 << 10, 1 << 20);

  private final @Nullable Path verbsTool;
  private final String device;
  private final double seconds;
  private final int repeat;
  private final Progress progress;

  private Raw(
      @Nullable Path verbsTool, String device, double seconds, int repeat, Progress progress) {
    this.verbsTool = verbsTool;
    this.device = device;
    this.seconds = seconds;
    this.repeat = repeat;
    this.progress = progress;
  }

  /**
   * Measures all of them, each for a warm-up and some rounds.
   *
   * @param verbsTool the tool vbn-perf; null to leave verbs out
   * @param device the verbs device
   * @param seconds of a round
   * @param repeat how many rounds count
   * @param soFar is given the results after each baseline
   */
  public static List<RawResult> run(
      @Nullable Path verbsTool,
      String device,
      double seconds,
      int repeat,
      Progress progress,
      Consumer<List<RawResult>> soFar)
      throws InterruptedException {
    return new Raw(verbsTool, device, seconds, repeat, progress).runAll(soFar);
  }

  private List<RawResult> runAll(Consumer<List<RawResult>> soFar) throws InterruptedException {
    List<Callable<Baseline>> baselines = baselines();
    progress.begins(baselines.size() * (1 + repeat));
    List<RawResult> results = new ArrayList<>();
    for (Callable<Baseline> baseline : baselines) {
      results.add(measure(baseline));
      soFar.accept(List.copyOf(results));
    }
    return List.copyOf(results);
  }

  private List<Callable<Baseline>> baselines() {
    List<Callable<Baseline>> all = new ArrayList<>();
    SIZES.forEach(size -> all.add(() -> new MemoryCopy(size)));
    all.add(WordPingPong::new);
    for (TcpBaseline.Kind kind : TcpBaseline.Kind.values()) {
      SIZES.forEach(size -> all.add(() -> new TcpBaseline(size, kind)));
    }
    Path tool = verbsTool;
    if (tool != null) {
      SIZES.forEach(size -> all.add(() -> new VerbsPerf(tool, device, size)));
    }
    return all;
  }

  private RawResult measure(Callable<Baseline> opening) throws InterruptedException {
    try (Baseline baseline = opening.call()) {
      List<Double> rates = new ArrayList<>();
      List<RoundTrips> roundTrips = new ArrayList<>();
      for (int round = 0; round <= repeat; round++) {
        progress.roundBegins(baseline.name() + " " + SizeText.format(baseline.sizeBytes()));
        Histogram ns = Reports.newHistogram();
        double rate = baseline.run(Math.round(seconds * 1e9), ns);
        if (round > 0) { // the first one warms up
          rates.add(rate);
          if (ns.getTotalCount() > 0) {
            roundTrips.add(RoundTrips.of(ns));
          }
        }
        progress.roundEnds();
      }
      return new RawResult(
          baseline.name(),
          baseline.sizeBytes(),
          Spread.of(rates, Double::doubleValue),
          List.copyOf(roundTrips));
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new BenchException("a baseline failed: " + e);
    }
  }
}
