// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** What a plan must hold, with what to change where it does not. */
public final class Check {

  private Check() {}

  /**
   * Checks something.
   *
   * @throws IllegalArgumentException with this message if it does not hold
   */
  public static void that(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException naming what it is of if it lies outside
   */
  public static void range(String what, int value, int low, int high) {
    that(value >= low && value <= high, what + " = " + value + ": expected " + low + " to " + high);
  }
}
