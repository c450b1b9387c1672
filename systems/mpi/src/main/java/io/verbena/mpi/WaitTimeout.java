// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a wait lasts before it is reported: {@code mpi.wait.timeout}, by the system property
 * {@code verbena.mpi.wait.timeout}, else the variable {@code VERBENA_MPI_WAIT_TIMEOUT}.
 */
final class WaitTimeout {

  /** Nothing is reported. */
  static final Duration NONE = Duration.ofNanos(Long.MAX_VALUE);

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private WaitTimeout() {}

  /**
   * As the environment says.
   *
   * @throws IllegalArgumentException if that is no time
   */
  static Duration ofSystem() {
    String property = System.getProperty("verbena.mpi.wait.timeout");
    String given = property != null ? property : System.getenv("VERBENA_MPI_WAIT_TIMEOUT");
    return given == null || given.isEmpty() ? NONE : of(given);
  }

  static Duration of(String given) {
    Matcher matcher = FORM.matcher(given);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "mpi.wait.timeout is '" + given + "'; choose a time, as 500ms, 30s, 5m or 1h");
    }
    return Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
  }

  private static ChronoUnit unit(String name) {
    return switch (name) {
      case "ms" -> ChronoUnit.MILLIS;
      case "s" -> ChronoUnit.SECONDS;
      case "m" -> ChronoUnit.MINUTES;
      default -> ChronoUnit.HOURS;
    };
  }
}
