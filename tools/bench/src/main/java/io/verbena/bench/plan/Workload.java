// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** What is measured. */
public enum Workload {
  /** One way: the rate at which the receiver takes messages. */
  THROUGHPUT("throughput"),
  /** Requests and their replies, one at a time in each thread. */
  LATENCY("latency"),
  /** Requests at a fixed rate, whether or not replies keep up. */
  LOAD("open-loop load"),
  /** Every node sends to every other. */
  ALLTOALL("all-to-all"),
  /** Connected nodes that have nothing to do, and the first request after that. */
  IDLE("idle");

  private final String label;

  Workload(String label) {
    this.label = label;
  }

  /** Its name in texts. */
  public String label() {
    return label;
  }

  /** Whether messages are requests that are answered. */
  public boolean hasReplies() {
    return this == LATENCY || this == LOAD || this == IDLE;
  }
}
