// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import io.verbena.bench.Figures;
import io.verbena.bench.Percentile;
import io.verbena.bench.Spread;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.Pairing;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.SizeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The plots of a comparison, for each kind of wire: rate, throughput, round trips, percentiles. */
public final class ComparePlots {

  private final Outcome outcome;
  private final @Nullable Wire wire;
  private final Path folder;
  private final String prefix;

  private ComparePlots(Outcome outcome, @Nullable Wire wire, Path folder, String prefix) {
    this.outcome = outcome;
    this.wire = wire;
    this.folder = folder;
    this.prefix = prefix;
  }

  /**
   * Writes what there is to show.
   *
   * @param prefix goes before each file's name
   */
  public static void write(Outcome outcome, Path folder, String prefix) throws IOException {
    for (Wire wire : Wire.values()) {
      new ComparePlots(outcome, wire, folder, prefix).write();
    }
  }

  /** The same with those over all wires in one plot. */
  public static void writeTogether(Outcome outcome, Path folder, String prefix) throws IOException {
    new ComparePlots(outcome, null, folder, prefix).write();
  }

  private void write() throws IOException {
    List<Pairing> oneWay = lines(false);
    List<Pairing> requests = lines(true);
    draw(
        "rate",
        "Messages one way",
        "messages per second",
        Figures::count,
        curves(oneWay, Pairing::messagesPerSecond));
    draw(
        "throughput",
        "Payload one way",
        "MB/s",
        Figures::digits,
        curves(oneWay, Pairing::megabytesPerSecond));
    draw(
        "roundtrip",
        "Round trips, median",
        "round trip",
        Figures::nanos,
        curves(requests, Pairing::medianRoundTripNs));
    drawPercentiles(requests);
  }

  private List<Pairing> lines(boolean hasReplies) {
    return outcome.pairings().stream()
        .filter(line -> wire == null || outcome.wireOf(line.contestant()) == wire)
        .filter(line -> line.contest().hasReplies() == hasReplies)
        .toList();
  }

  private List<Curve> curves(List<Pairing> lines, Function<Pairing, @Nullable Spread> figure) {
    Map<String, Curve> curves = new LinkedHashMap<>();
    for (Pairing line : lines) {
      Spread spread = figure.apply(line);
      if (spread != null && spread.min() > 0) {
        curves
            .computeIfAbsent(line.contestant(), name -> new Curve(label(name)))
            .point(line.contest().sizeBytes(), spread);
      }
    }
    return new ArrayList<>(curves.values());
  }

  private String label(String contestant) {
    return outcome.isChecked(contestant) ? contestant : contestant + " (unchecked)";
  }

  private void draw(
      String name, String title, String unit, Function<Double, String> label, List<Curve> curves)
      throws IOException {
    if (!curves.isEmpty()) {
      String full = title + wireText();
      new Plot(full, Axes.SIZE, unit, Axes::size, label, true, curves)
          .write(folder, fileName(name));
    }
  }

  /** At the smallest size: there the system counts most. */
  private void drawPercentiles(List<Pairing> lines) throws IOException {
    int smallest = lines.stream().mapToInt(line -> line.contest().sizeBytes()).min().orElse(0);
    List<Curve> curves =
        lines.stream()
            .filter(line -> line.contest().sizeBytes() == smallest && line.hasDistribution())
            .map(this::percentiles)
            .filter(curve -> !curve.isEmpty()) // of a handful of round trips
            .toList();
    if (!curves.isEmpty()) {
      String title = "Round trips of %s bytes%s".formatted(SizeText.format(smallest), wireText());
      new Plot(
              title, Axes.PERCENTILE, "round trip", Axes::percentile, Figures::nanos, false, curves)
          .write(folder, fileName("percentiles"));
    }
  }

  private Curve percentiles(Pairing line) {
    Histogram all = line.allRoundTrips();
    return Axes.distribution(
        label(line.contestant()), all == null ? List.of() : Percentile.of(all));
  }

  private String wireText() {
    return switch (wire) {
      case null -> "";
      case SHM -> " over shared memory";
      case TCP -> " over loopback sockets";
    };
  }

  private String fileName(String name) {
    return prefix + name + (wire == null ? "" : "-" + wire.text());
  }
}
