// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import java.util.function.DoubleSupplier;

/**
 * The time a comparison has, dealt out evenly over what is still to be done: who needs less leaves
 * the rest to those after him.
 */
final class Budget {

  private final Comparison comparison;
  private final DoubleSupplier clock;
  private final double endSeconds;
  private int left;

  /**
   * Starts the time.
   *
   * @param parts how many contestants have to be started in all
   * @param clock seconds
   */
  Budget(Comparison comparison, int parts, DoubleSupplier clock) {
    this.comparison = comparison;
    this.clock = clock;
    this.left = parts;
    this.endSeconds = clock.getAsDouble() + comparison.budgetSeconds();
  }

  /** Whether there is time for the rounds of one more contestant that count. */
  boolean hasRoom() {
    return rest() >= comparison.countedSeconds();
  }

  /** How long the next contestant may warm up: its share, without what counts. */
  double nextWarmUpSeconds() {
    double share = rest() / Math.max(1, left--) - comparison.countedSeconds();
    double least = Math.min(comparison.leastWarmUpSeconds(), comparison.warmupSeconds());
    return Math.clamp(share, least, comparison.warmupSeconds());
  }

  private double rest() {
    return endSeconds - clock.getAsDouble();
  }
}
