// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import io.verbena.bench.Figures;

/** What figures are counted in. */
public enum Unit {
  /** A time. */
  NANOSECONDS("ns") {
    @Override
    public String format(double value) {
      return Figures.nanos(value);
    }
  },
  /** A rate. */
  PER_SECOND("1/s") {
    @Override
    public String format(double value) {
      return Figures.count(value) + "/s";
    }
  },
  /** A throughput. */
  BYTES_PER_SECOND("B/s") {
    @Override
    public String format(double value) {
      return Figures.count(value) + "B/s";
    }
  },
  /** An amount of memory, or of what is written or read. */
  BYTES("B") {
    @Override
    public String format(double value) {
      return Figures.count(value) + (value >= 1e4 ? "B" : " B");
    }
  },
  /** So many of what it is compared with. */
  TIMES("1") {
    @Override
    public String format(double value) {
      return Figures.digits(value);
    }
  };

  private final String text;

  Unit(String text) {
    this.text = text;
  }

  /** The name in files. */
  public String text() {
    return text;
  }

  /** A value for people. */
  public abstract String format(double value);

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Unit parse(String text) {
    for (Unit unit : values()) {
      if (unit.text.equals(text)) {
        return unit;
      }
    }
    throw new IllegalArgumentException("unit '" + text + "': expected ns, 1/s, B/s, B or 1");
  }
}
