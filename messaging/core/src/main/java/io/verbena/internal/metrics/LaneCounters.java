// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

/**
 * What one lane has carried. The counters are plain fields of the one thread that uses the lane;
 * other threads may read values that are a little old.
 */
public interface LaneCounters {

  /** Messages so far. */
  long messages();

  /** Their payload in bytes. */
  long bytes();

  /** For incoming lanes: how many frames answered a request that was open. */
  default long answers() {
    return 0;
  }
}
