// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/** Words that follow from a stamp, at an operation or two each. */
final class Words {

  /** Odd and without a pattern: each stamp gives another seed, and all its bytes change. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private Words() {}

  static long seed(long stamp) {
    return stamp * SPREAD + SPREAD;
  }

  static long word(long seed, int index) {
    return seed + index * SPREAD;
  }
}
