// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Figure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured so far.
 *
 * @param series of each engine and each measure
 * @param skipped who was left out
 * @param failures of peers
 */
public record KvResult(List<Series> series, List<Skipped> skipped, List<String> failures) {

  public KvResult {
    series = List.copyOf(series);
    skipped = List.copyOf(skipped);
    failures = List.copyOf(failures);
  }

  /** A measure of a workload with a mix of sizes. */
  record Subject(Mix mix, Workload workload, Measure measure) {

    /** For people. */
    String text() {
      return "%s, %s, %s"
          .formatted(workload.label(), mix, measure.name().toLowerCase(java.util.Locale.ROOT));
    }
  }

  /**
   * An engine's figures of it.
   *
   * @param values one for each pair
   */
  record Series(String engine, Subject subject, List<Double> values) {

    Series {
      values = List.copyOf(values);
    }

    /** They, beside those of another one if there is one. */
    Figure figure(@Nullable Series beside) {
      return new Figure(
          subject.text(),
          0,
          engine,
          subject.measure().unit(),
          values,
          beside == null ? null : new Figure.Partner(beside.engine, beside.values));
    }
  }

  /** The series of an engine; null if it has none. */
  @Nullable Series find(String engine, Subject subject) {
    return series.stream()
        .filter(one -> one.engine().equals(engine) && one.subject().equals(subject))
        .findFirst()
        .orElse(null);
  }

  /** Whether all that was started has come to its end. */
  public boolean isClean() {
    return failures.isEmpty();
  }
}
