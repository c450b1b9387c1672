// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.Execution;

/** Where handlers run, as it is said on the command line: {@code inline|pool:K|virtual}. */
public final class HandlerPlace {

  private static final String POOL = "pool:";

  private HandlerPlace() {}

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Execution parse(String text) {
    if (text.startsWith(POOL)) {
      return Execution.pool(threads(text));
    }
    return switch (text) {
      case "inline" -> Execution.inline();
      case "virtual" -> Execution.virtual();
      default ->
          throw new IllegalArgumentException(
              "handlers '" + text + "': expected inline, pool:K or virtual");
    };
  }

  /** Says it. */
  public static String format(Execution execution) {
    return switch (execution) {
      case Execution.Inline _ -> "inline";
      case Execution.Pool pool -> POOL + pool.threads();
      case Execution.Virtual _ -> "virtual";
    };
  }

  private static int threads(String text) {
    try {
      return Integer.parseInt(text.substring(POOL.length()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "handlers '" + text + "': expected a number of threads after 'pool:'", e);
    }
  }
}
