// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates as people write them: {@code 5000}, {@code 100k}, {@code 1.5M}. */
final class Rate {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)([kKmM]?)");

  private Rate() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static double parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "rate '" + text + "': expected a number a second such as 5000, 100k or 1M");
    }
    double factor =
        switch (matcher.group(2)) {
          case "k", "K" -> 1e3;
          case "m", "M" -> 1e6;
          default -> 1;
        };
    return Double.parseDouble(matcher.group(1)) * factor;
  }
}
