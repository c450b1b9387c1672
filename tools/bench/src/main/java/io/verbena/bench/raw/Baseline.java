// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import org.HdrHistogram.Histogram;

/** Something that can be repeated for a time. */
interface Baseline extends AutoCloseable {

  /** What it is. */
  String name();

  /** The bytes of one operation. */
  int sizeBytes();

  /**
   * Repeats it.
   *
   * @param roundTripNs takes the time of each operation that comes back
   * @return operations per second
   */
  double run(long durationNs, Histogram roundTripNs) throws Exception;

  @Override
  default void close() throws Exception {}
}
