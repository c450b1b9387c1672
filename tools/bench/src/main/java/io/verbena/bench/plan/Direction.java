// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** Which of two nodes sends. */
public enum Direction {
  /** The first one. */
  UNI,
  /** Both. */
  BI
}
