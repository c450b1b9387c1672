// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.contest;

import io.verbena.bench.verify.Tally;

/** The processes of a contestant; between rounds they do nothing. */
public interface RunningContestant extends AutoCloseable {

  /** What it is, how it is set up, and whether its messages are checked. */
  Description description();

  /** What became of messages that were sent to connect the processes. */
  default Tally connecting() {
    return Tally.NONE;
  }

  /**
   * Runs a round.
   *
   * @throws io.verbena.bench.control.BenchException if a process fails
   */
  Sample round(long durationNs) throws InterruptedException;

  @Override
  void close();

  /**
   * What is said about a contestant beside its figures.
   *
   * @param version its name and version
   * @param settings how it is set up
   * @param isChecked whether the content of its messages is compared
   * @param isCompiledAhead whether it is compiled ahead of time: then no compiler is waited for
   */
  record Description(String version, String settings, boolean isChecked, boolean isCompiledAhead) {}
}
