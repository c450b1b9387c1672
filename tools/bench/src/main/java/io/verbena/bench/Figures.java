// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.util.Locale;
import java.util.function.DoubleFunction;

/** Numbers for people: three or four digits and a unit. */
public final class Figures {

  private Figures() {}

  /** A rate or a count: {@code 21.3 M}. */
  public static String count(double value) {
    if (value >= 1e9) {
      return digits(value / 1e9) + " G";
    }
    if (value >= 1e6) {
      return digits(value / 1e6) + " M";
    }
    return value >= 1e4 ? digits(value / 1e3) + " k" : digits(value);
  }

  /** A rate; a dash where too little was timed to tell one. */
  public static String rate(double value) {
    return value == 0 ? "-" : count(value);
  }

  /** A count; whole as long as it is written out. */
  public static String count(long value) {
    return value < 10_000 ? Long.toString(value) : count((double) value);
  }

  /** A number of bytes: {@code 1.02 MB}. */
  public static String bytes(long value) {
    String count = count(value);
    return Character.isLetter(count.charAt(count.length() - 1)) ? count + "B" : count + " B";
  }

  /** A time. */
  public static String nanos(long ns) {
    return nanos((double) ns);
  }

  /** A time: {@code 540 ns}, {@code 1.35 µs}. */
  public static String nanos(double ns) {
    if (ns >= 1e9) {
      return digits(ns / 1e9) + " s";
    }
    if (ns >= 1e6) {
      return digits(ns / 1e6) + " ms";
    }
    return ns >= 1e3 ? digits(ns / 1e3) + " µs" : digits(ns) + " ns";
  }

  /** Least, middle and greatest of some rounds; once if they are the same, as of one round. */
  public static String spread(Spread of, DoubleFunction<String> format) {
    return of.min() == of.max()
        ? format.apply(of.median())
        : format.apply(of.min()) + "–" + format.apply(of.median()) + "–" + format.apply(of.max());
  }

  /** A number with at least three digits. */
  public static String digits(double value) {
    if (value == 0) {
      return "0";
    }
    String form = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }
}
