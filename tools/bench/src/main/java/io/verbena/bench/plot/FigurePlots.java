// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import io.verbena.bench.Figures;
import io.verbena.bench.Spread;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plot of rows: throughputs over size, with what stands beside them. */
public final class FigurePlots {

  private final Map<String, Curve> curves = new LinkedHashMap<>();

  private FigurePlots() {}

  /**
   * Writes what there is to show.
   *
   * @param name of the files, behind the prefix
   */
  public static void write(List<Row> rows, String title, Path folder, String name)
      throws IOException {
    FigurePlots plots = new FigurePlots();
    rows.stream()
        .map(Row::figure)
        .filter(figure -> figure.unit() == Unit.BYTES_PER_SECOND)
        .forEach(plots::add);
    if (!plots.curves.isEmpty()) {
      List<Curve> curves = new ArrayList<>(plots.curves.values());
      new Plot(title, Axes.SIZE, "MB/s", Axes::size, Figures::digits, true, curves)
          .write(folder, name);
    }
  }

  private void add(Figure figure) {
    String name = figure.what() + ", " + figure.way();
    add(name, figure.sizeBytes(), figure.value());
    Figure.Partner partner = figure.partner();
    if (partner != null) {
      add(partner.what() + " beside " + name, figure.sizeBytes(), partner.value());
    }
  }

  private void add(String name, long sizeBytes, Spread value) {
    curves
        .computeIfAbsent(name, Curve::new)
        .point(sizeBytes, new Spread(value.min() / 1e6, value.median() / 1e6, value.max() / 1e6));
  }
}
