// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

import io.verbena.bench.plan.Workload;

/** A system under comparison: Verbena over one of its transports, or a peer. */
public interface Contestant {

  /** Its name in tables, files and on the command line. */
  String name();

  /** What carries its messages. */
  Wire wire();

  /** Whether it takes part. */
  boolean takesPartIn(Workload workload);

  /**
   * Starts its processes.
   *
   * @throws io.verbena.bench.control.BenchException if they do not start
   */
  RunningContestant start(Contest contest) throws InterruptedException;
}
