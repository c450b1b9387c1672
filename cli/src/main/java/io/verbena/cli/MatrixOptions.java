// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Matrix;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the matrix. */
final class MatrixOptions {

  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  @Option(names = "--quick", description = "A few sizes and threads, short rounds.")
  private boolean isQuick;

  NodeOptions nodeOptions() {
    return nodeOptions;
  }

  /**
   * The plans these options make.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  List<BenchPlan> plans() {
    Matrix matrix = isQuick ? Matrix.QUICK : Matrix.FULL;
    return matrix.plans(nodeOptions.transport(), nodeOptions.settings(), nodeOptions.jvmOptions());
  }
}
