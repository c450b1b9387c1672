// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/** What a {@link RegionKey} allows; its bits are those of {@code VBN_REMOTE_…}. */
public enum Access {
  /** Reading. */
  GET(1),
  /** Writing. */
  PUT(2),
  /** Fetch-and-add, compare-and-swap. */
  ATOMIC(4);

  static final int ALL = 7;

  final int bit;

  Access(int bit) {
    this.bit = bit;
  }

  static int sum(Access... some) {
    int sum = 0;
    for (Access one : some) {
      sum |= one.bit;
    }
    return sum;
  }
}
