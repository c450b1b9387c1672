// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

import io.verbena.bench.RoundTrips;
import io.verbena.bench.verify.Tally;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one round of one contestant gave.
 *
 * @param messages sent; requests count once
 * @param messagesPerSecond from the receiver's first message to its last; requests per second
 * @param tally what became of them
 * @param roundTripNs every round trip; null if there were no requests
 * @param cpuSeconds processor time of all its processes
 * @param compilerSeconds of which that of the compilers of its JVMs
 * @param coresNs how long a word took to another processor and back just before; 0 where nobody has
 *     looked
 */
public record Sample(
    long messages,
    double messagesPerSecond,
    Tally tally,
    @Nullable Histogram roundTripNs,
    double cpuSeconds,
    double compilerSeconds,
    double coresNs) {

  /** The same, of a round before which somebody has looked how far apart the processors were. */
  public Sample withCoresNs(double ns) {
    return new Sample(
        messages, messagesPerSecond, tally, roundTripNs, cpuSeconds, compilerSeconds, ns);
  }

  /** The figures of the round trips; null if there were none. */
  public @Nullable RoundTrips roundTrips() {
    return roundTripNs == null ? null : RoundTrips.of(roundTripNs);
  }

  /** Larger is better; 0 if there was too little to time. */
  public double speed() {
    return roundTripNs == null || figure() == 0 ? figure() : 1 / figure();
  }

  /** What is compared: the rate, or the median of the round trips in nanoseconds. */
  public double figure() {
    return roundTripNs == null ? messagesPerSecond : roundTripNs.getValueAtPercentile(50);
  }
}
