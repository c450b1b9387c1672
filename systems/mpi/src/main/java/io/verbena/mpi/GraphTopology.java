// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Arrays;

/**
 * Ranks with any neighbours, in the form of MPI: {@code index[rank]} is how many neighbours ranks 0
 * to {@code rank} have together, {@code edges} are all their neighbours one after the other. A rank
 * may be a neighbour of itself, or several times one, and need not be one of its neighbours'. Pure
 * arithmetic. Immutable.
 */
public final class GraphTopology implements Topology {

  private final int[] index;
  private final int[] edges;

  private GraphTopology(int[] index, int[] edges) {
    this.index = index;
    this.edges = edges;
    int before = 0;
    for (int rank = 0; rank < index.length; rank++) {
      check(index[rank] >= before, "index %d of rank %d is less than the one before", rank);
      before = index[rank];
    }
    if (before != edges.length) {
      throw new IllegalArgumentException(edges.length + " edges, the last index is " + before);
    }
    for (int neighbour : edges) {
      if (neighbour < 0 || neighbour >= index.length) {
        throw new IllegalArgumentException("rank " + neighbour + " in a graph of " + index.length);
      }
    }
  }

  private void check(boolean isRight, String otherwise, int rank) {
    if (!isRight) {
      throw new IllegalArgumentException(otherwise.formatted(index[rank], rank));
    }
  }

  /**
   * A graph.
   *
   * @throws IllegalArgumentException if an index is less than the one before, the last one is not
   *     the number of edges, or an edge leads to no rank
   */
  public static GraphTopology of(int[] index, int[] edges) {
    return new GraphTopology(index.clone(), edges.clone());
  }

  @Override
  public int size() {
    return index.length;
  }

  /** How many neighbours ranks have, with those before them. */
  public int[] index() {
    return index.clone();
  }

  /** All neighbours, by rank. */
  public int[] edges() {
    return edges.clone();
  }

  /** The neighbours of a rank. */
  public int[] neighbours(int rank) {
    if (rank < 0 || rank >= index.length) {
      throw new IllegalArgumentException("rank " + rank + " of a graph of " + index.length);
    }
    return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GraphTopology graph
        && Arrays.equals(index, graph.index)
        && Arrays.equals(edges, graph.edges);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(index) + 31 * Arrays.hashCode(edges);
  }

  @Override
  public String toString() {
    return "graph of %d ranks and %d edges".formatted(index.length, edges.length);
  }
}
