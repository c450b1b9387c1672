// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static io.verbena.mpi.collective.Algorithm.BINOMIAL;
import static io.verbena.mpi.collective.Algorithm.CHAIN;
import static io.verbena.mpi.collective.Algorithm.DISSEMINATION;
import static io.verbena.mpi.collective.Algorithm.LINEAR;
import static io.verbena.mpi.collective.Algorithm.PAIRWISE;
import static io.verbena.mpi.collective.Algorithm.RECURSIVE_DOUBLING;
import static io.verbena.mpi.collective.Algorithm.RING;
import static io.verbena.mpi.collective.Algorithm.SLICED;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The collective operations. Each has a tag of its own, and each call of a group another one, so
 * that no two calls mix: what one has left behind that failed finds no receive any more.
 */
public enum Operation {
  BARRIER(1, LINEAR, DISSEMINATION),
  BCAST(2, LINEAR, BINOMIAL, CHAIN),
  GATHER(3, LINEAR, BINOMIAL),
  GATHERV(4, LINEAR),
  SCATTER(5, LINEAR, BINOMIAL),
  SCATTERV(6, LINEAR),
  ALLGATHER(7, LINEAR, RECURSIVE_DOUBLING, RING),
  ALLTOALL(8, LINEAR, PAIRWISE),
  ALLTOALLV(9, LINEAR, PAIRWISE),
  REDUCE(10, LINEAR, BINOMIAL, SLICED),
  ALLREDUCE(11, LINEAR, RECURSIVE_DOUBLING, SLICED, RING),
  REDUCE_SCATTER(12, SLICED, RING),
  SCAN(13, LINEAR, RECURSIVE_DOUBLING),
  EXSCAN(14, LINEAR, RECURSIVE_DOUBLING);

  private static final int TAGS = 32;
  private static final int MOST_CALL = Integer.MAX_VALUE / TAGS;

  private final int tag;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes one that is
  private final List<Algorithm> algorithms;

  Operation(int tag, Algorithm... algorithms) {
    this.tag = tag;
    this.algorithms = List.of(algorithms);
  }

  /** By which it can go. */
  public List<Algorithm> algorithms() {
    return algorithms;
  }

  /** What its messages carry in the call of this number. */
  int tag(int call) {
    return (call & MOST_CALL) * TAGS + tag;
  }

  /** The operation that messages with this tag belong to, in a context of collectives. */
  public static Optional<Operation> ofTag(int tag) {
    return Arrays.stream(values()).filter(each -> tag >= 0 && each.tag == tag % TAGS).findAny();
  }

  static Operation of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
