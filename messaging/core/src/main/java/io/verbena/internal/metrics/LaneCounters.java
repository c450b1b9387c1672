// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

/**
 * What one lane has carried; plain counters of the lane's one user, read by others a little late.
 */
public interface LaneCounters {

  /** Messages so far. */
  long messages();

  /** Their payload in bytes. */
  long bytes();

  /** How many of them answered a request that was open; of incoming lanes. */
  default long answers() {
    return 0;
  }
}
