// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/** How an operation ended; in the order of {@code VBN_OUTCOME_…}. */
public enum Outcome {
  /** Executed; a get or an atomic has its result. */
  DONE,
  /** By a device: an atomic was not executed, of a put or get some or all bytes may have moved. */
  REFUSED,
  /** The link ended first: executed, or not. */
  UNKNOWN;

  private static final Outcome[] ALL = values();

  static Outcome of(int number) {
    return ALL[number];
  }
}
