// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One configuration key.
 *
 * @param name as written in properties files, e.g. {@code tcp.socket.buffer.bytes}
 * @param kind what values look like
 * @param defaultValue in the same form; empty if there is none
 * @param range the accepted values in words, for numbers and durations {@code low..high} in the
 *     same unit syntax as values, or {@code word, or low..high} where a word will do as well
 * @param description one sentence: what it does, what it costs, when to change it
 */
public record ConfigKey(
    String name, Kind kind, String defaultValue, String range, String description) {

  /** What values look like. */
  public enum Kind {
    /** Any text. */
    TEXT,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** A whole number. */
    NUMBER,
    /** A number of bytes: {@code 65536}, {@code 64K}, {@code 1M}, {@code 1G} (powers of 1024). */
    BYTES,
    /** A time: {@code 20us}, {@code 5ms}, {@code 10s}, {@code 1m}. */
    DURATION,
    /** One of the words in the range, separated by {@code |}. */
    CHOICE,
    /** Text that never appears in logs or errors. */
    SECRET
  }

  private static final Pattern NUMBER_FORM = Pattern.compile("(\\d{1,18})()");
  private static final Pattern BYTES_FORM = Pattern.compile("(\\d{1,12})([KMG]?)");
  private static final Pattern DURATION_FORM = Pattern.compile("(\\d{1,12})(ns|us|ms|s|m|h)");

  /**
   * What a value of this key amounts to: a number, a number of bytes, or nanoseconds.
   *
   * @throws IllegalArgumentException if it does not have the form of this key's kind, or is too
   *     large for a {@code long}
   */
  public long number(String value) {
    Matcher matcher =
        switch (kind) {
          case NUMBER -> NUMBER_FORM.matcher(value);
          case BYTES -> BYTES_FORM.matcher(value.toUpperCase(Locale.ROOT));
          case DURATION -> DURATION_FORM.matcher(value);
          case TEXT, BOOLEAN, CHOICE, SECRET ->
              throw new IllegalArgumentException(name + " is no number but a " + kind);
        };
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + value + "' is no " + kind);
    }
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), factor(matcher.group(2)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + value + "' is too large", e);
    }
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "K" -> 1L << 10;
      case "M" -> 1L << 20;
      case "G" -> 1L << 30;
      case "us" -> 1_000L;
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 1L; // as it stands: a number, bytes, nanoseconds
    };
  }

  /**
   * What a value of this key amounts to as a time.
   *
   * @throws IllegalArgumentException as by {@link #number}
   */
  public Duration duration(String value) {
    return Duration.ofNanos(number(value));
  }
}
