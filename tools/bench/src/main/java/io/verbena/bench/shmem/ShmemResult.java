// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.shmem;

import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of OpenSHMEM so far.
 *
 * @param series of each side and each call
 * @param skipped who was left out
 * @param failures of peers
 */
public record ShmemResult(List<Series> series, List<Skipped> skipped, List<String> failures) {

  public ShmemResult {
    series = List.copyOf(series);
    skipped = List.copyOf(skipped);
    failures = List.copyOf(failures);
  }

  /**
   * A call with so many bytes; 0 where it moves none.
   *
   * @param name of the call
   */
  record Call(String name, long bytes) {}

  /**
   * How long a call takes.
   *
   * @param nanos one for each pair of rounds
   */
  record Series(String side, Call call, List<Double> nanos) {

    Series {
      nanos = List.copyOf(nanos);
    }

    /** Times, beside those of another one if there is one. */
    Figure times(@Nullable Series beside) {
      return new Figure(
          call.name(),
          call.bytes(),
          side,
          Unit.NANOSECONDS,
          nanos,
          beside == null ? null : new Figure.Partner(beside.name(this), beside.nanos));
    }

    /** Throughput, beside that of another one if there is one. */
    Figure throughput(@Nullable Series beside) {
      return new Figure(
          call.name(),
          call.bytes(),
          side,
          Unit.BYTES_PER_SECOND,
          rates(),
          beside == null ? null : new Figure.Partner(beside.name(this), beside.rates()));
    }

    /** As it is called beside another one: what tells the two apart. */
    private String name(Series other) {
      return side.equals(other.side) ? call.name() : side;
    }

    private List<Double> rates() {
      return nanos.stream().map(time -> 1e9 * call.bytes() / time).toList();
    }
  }

  /** That of a side; null if it has none. */
  @Nullable Series find(String side, Call call) {
    return series.stream()
        .filter(one -> one.side().equals(side) && one.call().equals(call))
        .findFirst()
        .orElse(null);
  }

  /** Whether all that was started has come to its end. */
  public boolean isClean() {
    return failures.isEmpty();
  }
}
