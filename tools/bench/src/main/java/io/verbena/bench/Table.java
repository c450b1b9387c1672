// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table for a terminal: columns as wide as they need to be, numbers to the right. */
public final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Starts with the headings. */
  public Table(String... headings) {
    this(List.of(headings));
  }

  /** Starts with the headings. */
  public Table(List<String> headings) {
    rows.add(List.copyOf(headings));
  }

  /** Adds a row with a cell for each heading. */
  public Table row(String... cells) {
    return row(List.of(cells));
  }

  /** Adds a row with a cell for each heading. */
  public Table row(List<String> cells) {
    if (cells.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells under " + rows.getFirst().size() + " headings");
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The text, with a line break after each row. */
  @Override
  public String toString() {
    int[] widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining());
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? cell + padding : GAP + padding + cell);
    }
    return line.toString().stripTrailing() + "\n";
  }
}
