// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Wire;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Contestants that are compared with one and the same baseline.
 *
 * @param baseline which
 * @param members who is in it
 */
public record League(Contestant baseline, Predicate<Contestant> members) {

  /** Everybody beside one. */
  public static League of(Contestant baseline) {
    return new League(baseline, contestant -> true);
  }

  /** A league for each wire. */
  public static List<League> ofWires(Function<Wire, Contestant> baselines) {
    return Arrays.stream(Wire.values())
        .map(wire -> new League(baselines.apply(wire), contestant -> contestant.wire() == wire))
        .toList();
  }

  /** Whether a contestant is compared with the baseline. */
  boolean hasChallenger(Contestant contestant) {
    return members.test(contestant) && !contestant.name().equals(baseline.name());
  }
}
