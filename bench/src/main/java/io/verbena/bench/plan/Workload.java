// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** What is measured. */
public enum Workload {
  /** One way: the rate at which the receiver takes messages. */
  THROUGHPUT,
  /** Requests and their replies, one at a time in each thread. */
  LATENCY,
  /** Requests at a fixed rate, whether or not replies keep up. */
  LOAD,
  /** Every node sends to every other. */
  ALLTOALL,
  /** Connected nodes that have nothing to do, and the first request after that. */
  IDLE;

  /** Whether messages are requests that are answered. */
  public boolean hasReplies() {
    return this == LATENCY || this == LOAD || this == IDLE;
  }
}
