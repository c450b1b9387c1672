// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;

/**
 * One workload at one message size.
 *
 * @param workload {@link Workload#THROUGHPUT} or {@link Workload#LATENCY}
 * @param sizeBytes of message bodies
 */
public record Contest(Workload workload, int sizeBytes) {

  /** Refuses what peers do not take part in. */
  public Contest {
    if (workload != Workload.THROUGHPUT && workload != Workload.LATENCY) {
      throw new IllegalArgumentException("peers are compared in throughput and latency");
    }
  }

  /** Whether messages are requests that are answered. */
  public boolean hasReplies() {
    return workload.hasReplies();
  }

  /** What it is, for people: {@code one way, 64 bytes}. */
  public String text() {
    String what = hasReplies() ? "round trips" : "one way";
    return "%s, %s bytes".formatted(what, SizeText.format(sizeBytes));
  }
}
