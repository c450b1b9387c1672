// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and checks values as their key's {@link Kind} and range say. */
public final class Values {

  private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,12})([KMG]?)");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ns|us|ms|s|m|h)");

  /** {@code low..high}, and whether only powers of two in between will do. */
  private static final Pattern RANGE = Pattern.compile("(\\w+)\\.\\.(\\w+)(, a power of two)?");

  private Values() {}

  /**
   * Checks a value.
   *
   * @param source where it was said, for the error
   */
  public static void check(ConfigKey key, String value, String source) {
    switch (key.kind()) {
      case NUMBER, BYTES, DURATION -> checkRange(key, value, source);
      case BOOLEAN -> checkChoice(key, value, List.of("true", "false"), source);
      case CHOICE -> checkChoice(key, value, List.of(key.range().split("\\|")), source);
      case TEXT, SECRET -> CoreKeys.checkText(key, value, source);
    }
  }

  /** A number, a number of bytes, or nanoseconds. */
  public static long number(ConfigKey key, String value) {
    return parse(key, value, "defaults");
  }

  /** A duration. */
  public static Duration duration(ConfigKey key, String value) {
    return Duration.ofNanos(parse(key, value, "defaults"));
  }

  private static void checkRange(ConfigKey key, String value, String source) {
    long number = parse(key, value, source);
    Matcher range = RANGE.matcher(key.range());
    if (!range.matches()) {
      return;
    }
    boolean inside =
        parse(key, range.group(1), source) <= number
            && number <= parse(key, range.group(2), source);
    boolean ofRightForm = range.group(3) == null || Long.bitCount(number) == 1;
    if (!inside || !ofRightForm) {
      throw bad(key, value, source);
    }
  }

  private static void checkChoice(
      ConfigKey key, String value, List<String> choices, String source) {
    if (!choices.contains(value)) {
      throw bad(key, value, source);
    }
  }

  private static long parse(ConfigKey key, String value, String source) {
    Matcher matcher =
        switch (key.kind()) {
          case BYTES -> BYTES.matcher(value.toUpperCase(Locale.ROOT));
          case DURATION -> DURATION.matcher(value);
          default -> NUMBER.matcher(value);
        };
    if (!matcher.matches()) {
      throw bad(key, value, source);
    }
    long number = Long.parseLong(matcher.group(1));
    String unit = matcher.groupCount() < 2 ? "" : matcher.group(2);
    try {
      return Math.multiplyExact(number, factor(unit));
    } catch (ArithmeticException e) {
      throw bad(key, value, source);
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
      default -> 1L;
    };
  }

  /** The error for a value that does not fit its key. */
  public static ConfigException bad(ConfigKey key, String value, String source) {
    String shown = key.kind() == Kind.SECRET ? "" : " = '" + value + "'";
    return new ConfigException(
        key.name() + shown + " from " + source + ": expected " + key.range() + unitsOf(key.kind()));
  }

  private static String unitsOf(Kind kind) {
    return switch (kind) {
      case BYTES -> " (bytes, with K, M or G for powers of 1024)";
      case DURATION -> " (with ns, us, ms, s, m or h)";
      case NUMBER -> " (a whole number)";
      case TEXT, BOOLEAN, CHOICE, SECRET -> "";
    };
  }
}
