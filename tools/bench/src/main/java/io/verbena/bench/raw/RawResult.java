// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.RoundTrips;
import io.verbena.bench.Spread;
import java.util.List;

/**
 * One baseline.
 *
 * @param name what it is
 * @param sizeBytes of one operation
 * @param operationsPerSecond copies, messages or round trips
 * @param roundTrips of each round; empty where nothing comes back
 */
public record RawResult(
    String name, int sizeBytes, Spread operationsPerSecond, List<RoundTrips> roundTrips) {

  /** Megabytes (10^6 bytes) per second, in one direction. */
  public Spread megabytesPerSecond() {
    double megabytes = sizeBytes / 1e6;
    return new Spread(
        operationsPerSecond.min() * megabytes,
        operationsPerSecond.median() * megabytes,
        operationsPerSecond.max() * megabytes);
  }
}
