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

  /** Whether there is time for one more contestant, if it warms up as briefly as can be. */
  boolean hasRoom() {
    return rest() >= comparison.countedSeconds() + comparison.leastWarmUpSeconds();
  }

  /** Whether there is time for one more contestant and a baseline before it. */
  boolean hasRoomWithBaseline() {
    double both = comparison.countedSeconds() + comparison.baselineSeconds();
    return rest() >= both + 2 * comparison.leastWarmUpSeconds();
  }

  /** So many are left out: what they would have needed is for the others. */
  void leaveOut(int parts) {
    left -= parts;
  }

  /** How long the next contestant may warm up: its share, without what counts. */
  double nextWarmUpSeconds() {
    double share = rest() / Math.max(1, left--) - comparison.countedSeconds();
    return Math.clamp(share, comparison.leastWarmUpSeconds(), comparison.warmupSeconds());
  }

  private double rest() {
    return endSeconds - clock.getAsDouble();
  }
}
