// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A plot with a logarithmic vertical axis, and mostly a horizontal one, too. Each line has a marker
 * and a dash of its own, and grey values differ, so that it is readable in black and white.
 *
 * @param title above it, where it is said what bars are
 * @param xTitle of the horizontal axis
 * @param yTitle of the vertical axis
 * @param xLabel says a value of the horizontal axis
 * @param yLabel says a value of the vertical axis
 * @param hasBars whether points have bars from the least to the greatest round
 * @param isXLogarithmic whether equal steps of the horizontal axis are equal factors
 * @param curves the lines
 */
public record Plot(
    String title,
    String xTitle,
    String yTitle,
    Function<Double, String> xLabel,
    Function<Double, String> yLabel,
    boolean hasBars,
    boolean isXLogarithmic,
    List<Curve> curves) {

  /** Both axes are logarithmic. */
  public Plot(
      String title,
      String xTitle,
      String yTitle,
      Function<Double, String> xLabel,
      Function<Double, String> yLabel,
      boolean hasBars,
      List<Curve> curves) {
    this(title, xTitle, yTitle, xLabel, yLabel, hasBars, true, curves);
  }

  private static final String BARS = "; bars: least to greatest round";
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 640;
  private static final int DPI = 144;
  private static final Color GRID = new Color(0xDDDDDD);

  /** From dark to light, and told apart by hue as well. */
  private static final List<Color> COLORS =
      List.of(
          Color.BLACK,
          new Color(0x7A7A7A),
          new Color(0x0B3C8C),
          new Color(0xC0392B),
          new Color(0x1E8449),
          new Color(0xB9770E),
          new Color(0x6C3483),
          new Color(0x2E86C1),
          new Color(0xD35400),
          new Color(0x117A65),
          new Color(0xA93279));

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.SQUARE,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS,
          SeriesMarkers.TRAPEZOID,
          SeriesMarkers.OVAL,
          SeriesMarkers.RECTANGLE,
          SeriesMarkers.CIRCLE);

  private static final float[][] DASHES = {
    {1, 0},
    {10, 4},
    {3, 3},
    {10, 3, 2, 3},
    {16, 4},
    {6, 6},
    {10, 3, 2, 3, 2, 3},
    {2, 6},
    {16, 4, 4, 4}
  };

  /** Writes {@code name.png} and {@code name.svg} into a folder. */
  public void write(Path folder, String name) throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart = chart();
    String path = folder.resolve(name).toString();
    BitmapEncoder.saveBitmapWithDPI(chart, path, BitmapFormat.PNG, DPI);
    SvgFile.write(Path.of(path + ".svg"), WIDTH, HEIGHT, svg -> chart.paint(svg, WIDTH, HEIGHT));
  }

  /** Whole powers of ten at both ends: at least two of them are labelled. */
  private void limit(XYChart chart) {
    DoubleSummaryStatistics ys =
        curves.stream()
            .flatMap(curve -> Stream.of(curve.leasts(), curve.ys(), curve.greatests()))
            .flatMapToDouble(Arrays::stream)
            .summaryStatistics();
    chart
        .getStyler()
        .setYAxisMin(Math.pow(10, Math.floor(Math.log10(ys.getMin()))))
        .setYAxisMax(Math.pow(10, Math.ceil(Math.log10(ys.getMax() * 1.05))));
  }

  private XYChart chart() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(hasBars ? title + BARS : title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    style(chart);
    limit(chart);
    for (int i = 0; i < curves.size(); i++) {
      add(chart, curves.get(i), i);
    }
    return chart;
  }

  private void style(XYChart chart) {
    chart
        .getStyler()
        .setXAxisLogarithmic(isXLogarithmic)
        .setYAxisLogarithmic(true)
        .setXAxisTickLabelsFormattingFunction(xLabel)
        .setYAxisTickLabelsFormattingFunction(yLabel)
        .setPlotGridLinesColor(GRID)
        .setPlotGridLinesStroke(new BasicStroke(1))
        .setAxisTickLabelsFont(font(Font.PLAIN, 13))
        .setAxisTitleFont(font(Font.PLAIN, 14))
        .setLocale(Locale.ROOT)
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setPlotBorderVisible(false)
        .setChartTitleFont(font(Font.BOLD, 15))
        .setLegendFont(font(Font.PLAIN, 12))
        .setLegendPosition(LegendPosition.OutsideE)
        .setLegendBorderColor(Color.WHITE)
        .setLegendSeriesLineLength(36)
        .setMarkerSize(9);
  }

  private static Font font(int style, int size) {
    return new Font(Font.SANS_SERIF, style, size);
  }

  private void add(XYChart chart, Curve curve, int index) {
    XYSeries series = chart.addSeries(curve.name(), curve.xs(), curve.ys());
    Color color = COLORS.get(index % COLORS.size());
    series.setLineColor(color);
    series.setMarkerColor(color);
    series.setMarker(MARKERS.get(index % MARKERS.size()));
    series.setLineStyle(stroke(index));
    if (hasBars) {
      for (int i = 0; i < curve.xs().length; i++) {
        addBar(chart, curve, i, color);
      }
    }
  }

  /** From least to greatest: a line of its own, as bars of the library reach as far up as down. */
  private static void addBar(XYChart chart, Curve curve, int point, Color color) {
    double x = curve.xs()[point];
    double[] ends = {curve.leasts()[point], curve.greatests()[point]};
    XYSeries bar = chart.addSeries(curve.name() + "#" + point, new double[] {x, x}, ends);
    bar.setShowInLegend(false);
    bar.setLineColor(color).setLineStyle(new BasicStroke(1.2f));
    bar.setMarker(new BarEnd()).setMarkerColor(color);
  }

  /** A short line across the end of a bar. */
  private static final class BarEnd extends Marker {
    @Override
    public void paint(Graphics2D g, double x, double y, int markerSize) {
      g.setStroke(new BasicStroke(1.2f));
      g.draw(new Line2D.Double(x - 3, y, x + 3, y));
    }
  }

  private static BasicStroke stroke(int index) {
    float[] dash = DASHES[index % DASHES.length];
    float width = index == 0 ? 2.5f : 1.5f;
    return index == 0
        ? new BasicStroke(width)
        : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
  }
}
