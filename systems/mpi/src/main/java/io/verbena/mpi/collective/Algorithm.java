// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import java.util.Locale;

/** How members of a group exchange what an operation needs. */
public enum Algorithm {
  /** Each with all whom it is to do with, at once: one step. */
  LINEAR,
  /** Steps at distance 1, 2, 4, …, always forward; after them everybody has heard of all. */
  DISSEMINATION,
  /** A tree whose branches halve: as many steps as the number of members has bits. */
  BINOMIAL,
  /** From each to the next, by pieces, so that all are busy. */
  CHAIN,
  /** Exchanges at distance 1, 2, 4, …, each of all that a member has by then. */
  RECURSIVE_DOUBLING,
  /** One partner after the other. */
  PAIRWISE,
  /** Everybody reduces a part of the message; the parts go from each to all at once. */
  SLICED,
  /** As sliced, but what is sent goes to the next only, and around. */
  RING;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
