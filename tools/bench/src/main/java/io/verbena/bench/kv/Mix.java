// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

/**
 * Which sizes records have, keys of 24 bytes included: small (33 bytes), medium (123) or large
 * (1,023), and how many percent of each.
 */
public enum Mix {
  /** Small ones. */
  S(100, 0),
  /** Medium ones. */
  M(0, 100),
  /** Large ones. */
  L(0, 0),
  /** Small ones dominate: 60, 20 and 20 percent. */
  SD(60, 20),
  /** Medium ones dominate: 20, 60 and 20 percent. */
  MD(20, 60),
  /** Large ones dominate: 20, 20 and 60 percent. */
  LD(20, 20);

  private static final int SMALL = 33;
  private static final int MEDIUM = 123;
  private static final int LARGE = 1023;
  private static final int WHOLE = 100;

  private final int small;
  private final int medium;

  Mix(int small, int medium) {
    this.small = small;
    this.medium = medium;
  }

  /** The length of a record, from something that is evenly distributed. */
  int recordBytes(long random) {
    long percent = Long.remainderUnsigned(random, WHOLE);
    return percent < small ? SMALL : percent < small + medium ? MEDIUM : LARGE;
  }

  /** How long records are on average. */
  double meanBytes() {
    int large = WHOLE - small - medium;
    return (double) (small * SMALL + medium * MEDIUM + large * LARGE) / WHOLE;
  }
}
