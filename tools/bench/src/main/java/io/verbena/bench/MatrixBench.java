// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Matrix;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.Workload;
import java.util.List;
import java.util.function.Consumer;

/** Carries out a {@link Matrix} for one system after the other. */
public final class MatrixBench {

  private final Matrix matrix;
  private final double ratePerSecond;

  /**
   * Of a matrix.
   *
   * @param ratePerSecond of open loops; 0 for {@link Matrix#LOAD_SHARE a share} of what the closed
   *     loop of one thread did with messages of the same size
   */
  public MatrixBench(Matrix matrix, double ratePerSecond) {
    this.matrix = matrix;
    this.ratePerSecond = ratePerSecond;
  }

  /**
   * Measures all systems.
   *
   * @param soFar is given all results after each round
   * @throws BenchException if a node fails; no node process is left behind
   */
  public List<BenchResult> run(
      List<SystemUnderTest> systems, Progress progress, Consumer<List<BenchResult>> soFar)
      throws InterruptedException {
    Bench bench = new Bench(progress, soFar);
    progress.begins(systems.stream().mapToInt(this::rounds).sum());
    for (SystemUnderTest system : systems) {
      List<BenchResult> closed = bench.measure(matrix.plans(system));
      bench.measure(matrix.loads(system, size -> loadRate(closed, size)));
    }
    return bench.results();
  }

  private int rounds(SystemUnderTest system) {
    return Bench.rounds(matrix.plans(system)) + Bench.rounds(matrix.loads(system, size -> 1));
  }

  private double loadRate(List<BenchResult> closed, int sizeBytes) {
    if (ratePerSecond > 0) {
      return ratePerSecond;
    }
    double closedRate =
        closed.stream()
            .filter(result -> result.plan().workload() == Workload.LATENCY)
            .filter(result -> result.sizeBytes() == sizeBytes && result.plan().threads() == 1)
            .mapToDouble(result -> result.messagesPerSecond().median())
            .findFirst()
            .orElseThrow();
    return Math.clamp(
        Math.rint(Matrix.LOAD_SHARE * closedRate), BenchPlan.MIN_RATE, BenchPlan.MAX_RATE);
  }
}
