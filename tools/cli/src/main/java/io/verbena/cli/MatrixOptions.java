// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.MatrixBench;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Matrix;
import io.verbena.bench.plan.SystemUnderTest;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of the matrix. */
final class MatrixOptions {

  private static final String ALL = "all";

  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  @Option(names = "--quick", description = "A few sizes and threads, short rounds.")
  private boolean isQuick;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description =
          "Requests per second of the open loop; default: half of what the closed loop did.")
  private @Nullable String rate;

  @Mixin private PlotOption plot = new PlotOption();

  @Nullable Path json() {
    return nodeOptions.json();
  }

  PlotOption plot() {
    return plot;
  }

  /**
   * Checks what can be checked before hours of measuring.
   *
   * @throws ParameterException if the transport is not there, or the folder of a file
   */
  void check(CommandLine command) {
    if (nodeOptions.transport().equals(ALL)) {
      nodeOptions.checkFile(command);
    } else {
      nodeOptions.check(command);
    }
    plot.check(command);
  }

  /**
   * The matrix.
   *
   * @throws IllegalArgumentException if the rate is none
   */
  MatrixBench matrix() {
    return new MatrixBench(isQuick ? Matrix.QUICK : Matrix.FULL, ratePerSecond());
  }

  private double ratePerSecond() {
    if (rate == null) {
      return 0;
    }
    double parsed = Rate.parse(rate);
    if (parsed < BenchPlan.MIN_RATE || parsed > BenchPlan.MAX_RATE) {
      throw new IllegalArgumentException(
          "rate '" + rate + "': expected 1 to 10M requests a second");
    }
    return parsed;
  }

  /**
   * What is measured.
   *
   * @throws IllegalArgumentException if the options do not fit together
   * @throws ConfigException if a key or value of the nodes is not acceptable
   */
  Systems systems() {
    SystemUnderTest base = nodeOptions.system();
    return nodeOptions.transport().equals(ALL) ? Systems.all(base) : Systems.of(base);
  }
}
