// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.control.BenchException;

/** One of those that are measured in turn. It does nothing between rounds. */
interface Side extends AutoCloseable {

  /** What a round gives. */
  record Round(int calls, double meanNs, double p50Ns, double p999Ns) {}

  /** Its name. */
  String name();

  /** Whether it has a compiler to wait for. */
  boolean isJava();

  /** Processor time that its compilers have used so far, s. */
  double compilerSeconds();

  /** Whether it does such a thing. */
  boolean does(MpiPlan.Measured what);

  /**
   * Makes so many calls.
   *
   * @throws BenchException if one of them was wrong, or the side has ended
   */
  Round measure(MpiPlan.Measured what, int calls) throws InterruptedException;

  /** Ends it; idempotent. */
  @Override
  void close();
}
