// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks values as their key's {@link Kind} and range say. */
public final class Values {

  /** {@code low..high}, a word that will do as well, whether only powers of two in between will. */
  private static final Pattern RANGE =
      Pattern.compile(
          "(?:(?<word>\\w+), or )?(?<low>\\w+)\\.\\.(?<high>\\w+)(?<power>, a power of two)?");

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

  private static void checkRange(ConfigKey key, String value, String source) {
    Matcher range = RANGE.matcher(key.range());
    boolean hasBounds = range.matches();
    if (hasBounds && value.equals(range.group("word"))) {
      return;
    }
    long number = parse(key, value, source);
    if (!hasBounds) {
      return;
    }
    boolean inside =
        parse(key, range.group("low"), source) <= number
            && number <= parse(key, range.group("high"), source);
    boolean ofRightForm = range.group("power") == null || Long.bitCount(number) == 1;
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
    try {
      return key.number(value);
    } catch (IllegalArgumentException e) {
      throw bad(key, value, source);
    }
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
