// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write them: {@code 64}, {@code 64K}, {@code 1M}. */
public final class SizeText {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kKmMgG]?)");

  private SizeText() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static int parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "size '" + text + "': expected bytes such as 64, 64K or 1M");
    }
    long bytes = Long.parseLong(matcher.group(1)) * factor(matcher.group(2));
    if (bytes < 1 || bytes > BenchPlan.MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "size '" + text + "': expected 1 byte to " + format(BenchPlan.MAX_SIZE_BYTES));
    }
    return (int) bytes;
  }

  /** Says one: {@code 64K} rather than {@code 65536}. */
  public static String format(int bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "M";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + "K" : "" + bytes;
  }

  private static long factor(String unit) {
    return switch (unit) {
      case "k", "K" -> 1 << 10;
      case "m", "M" -> 1 << 20;
      case "g", "G" -> 1 << 30;
      default -> 1;
    };
  }
}
