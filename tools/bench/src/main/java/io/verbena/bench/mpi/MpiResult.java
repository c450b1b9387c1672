// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Unit;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of MPI so far.
 *
 * @param plan what was to be measured
 * @param series of each side and each thing that it does
 * @param skipped who was left out
 * @param failures of peers
 */
public record MpiResult(
    MpiPlan plan, List<Series> series, List<Skipped> skipped, List<String> failures) {

  /** Fewer calls tell nothing of the slowest of a thousand. */
  private static final int TAIL_CALLS = 1000;

  public MpiResult {
    series = List.copyOf(series);
    skipped = List.copyOf(skipped);
    failures = List.copyOf(failures);
  }

  /** A figure of a round. */
  enum Of {
    P50("p50", Side.Round::p50Ns),
    P999("p99.9", Side.Round::p999Ns),
    MEAN("mean", Side.Round::meanNs);

    private final String text;
    private final ToDoubleFunction<Side.Round> figure;

    Of(String text, ToDoubleFunction<Side.Round> figure) {
      this.text = text;
      this.figure = figure;
    }

    /** Its name. */
    String text() {
      return text;
    }
  }

  /**
   * The rounds of a side.
   *
   * @param side who
   * @param what it did
   * @param rounds one for each pair so far
   */
  public record Series(String side, MpiPlan.Measured what, List<Side.Round> rounds) {

    public Series {
      rounds = List.copyOf(rounds);
    }

    /** Whether there is such a figure: of few calls there is no slow one in a thousand. */
    boolean has(Of of) {
      return of == Of.P50
          || rounds.stream().allMatch(round -> round.calls() >= (of == Of.P999 ? TAIL_CALLS : 2));
    }

    List<Double> values(Of of) {
      return rounds.stream().map(of.figure::applyAsDouble).toList();
    }

    /** Bytes that go one way in the half of a median round trip. */
    List<Double> bandwidths() {
      return rounds.stream().map(round -> 2e9 * what.sizeBytes() / round.p50Ns()).toList();
    }

    /** Times, beside those of another one if there is one. */
    Figure times(Of of, @Nullable Series beside) {
      return new Figure(
          what.operation().text() + ", " + of.text,
          what.sizeBytes(),
          side,
          Unit.NANOSECONDS,
          values(of),
          beside == null ? null : new Figure.Partner(beside.side, beside.values(of)));
    }

    /** The throughput of round trips, beside that of another one if there is one. */
    Figure throughput(@Nullable Series beside) {
      return new Figure(
          what.operation().text() + ", throughput",
          what.sizeBytes(),
          side,
          Unit.BYTES_PER_SECOND,
          bandwidths(),
          beside == null ? null : new Figure.Partner(beside.side, beside.bandwidths()));
    }
  }

  /** The rounds of a side; null if it has none. */
  @Nullable Series find(String side, MpiPlan.Measured what) {
    return series.stream()
        .filter(one -> one.side().equals(side) && one.what().equals(what))
        .findFirst()
        .orElse(null);
  }

  /** Whether all that was started has answered rightly. */
  public boolean isClean() {
    return failures.isEmpty();
  }
}
