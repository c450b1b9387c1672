// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Ranks in a grid of any number of dimensions, each of which may be closed to a ring. The last
 * coordinate counts fastest: in two dimensions of 2 and 3, rank 4 has the coordinates 1 and 1. Pure
 * arithmetic. Immutable.
 */
public final class CartesianTopology implements Topology {

  private final int[] dims;
  private final boolean[] periods;
  private final int size;

  private CartesianTopology(int[] dims, boolean[] periods) {
    if (dims.length != periods.length) {
      throw new IllegalArgumentException(
          "%d dimensions, of which %d are said to be periodic or not"
              .formatted(dims.length, periods.length));
    }
    this.dims = dims;
    this.periods = periods;
    this.size = Arrays.stream(dims).reduce(1, CartesianTopology::times);
  }

  private static int times(int size, int dim) {
    if (dim < 1) {
      throw new IllegalArgumentException("a dimension of " + dim);
    }
    return Math.multiplyExact(size, dim);
  }

  /**
   * A grid.
   *
   * @param dims how many coordinates each dimension has; without any the grid is one rank
   * @param periods which dimensions are rings
   * @throws IllegalArgumentException if a dimension is less than 1, or there are not as many of
   *     both
   */
  public static CartesianTopology of(int[] dims, boolean[] periods) {
    return new CartesianTopology(dims.clone(), periods.clone());
  }

  @Override
  public int size() {
    return size;
  }

  /** How many coordinates each dimension has. */
  public int[] dims() {
    return dims.clone();
  }

  /** Which dimensions are rings. */
  public boolean[] periods() {
    return periods.clone();
  }

  /**
   * The rank at these coordinates; in a dimension that is a ring any number is one.
   *
   * @throws IllegalArgumentException if a coordinate lies outside
   */
  public int rank(int... coordinates) {
    if (coordinates.length != dims.length) {
      throw new IllegalArgumentException(
          coordinates.length + " coordinates in " + dims.length + " dimensions");
    }
    int rank = 0;
    for (int i = 0; i < dims.length; i++) {
      int at = periods[i] ? Math.floorMod(coordinates[i], dims[i]) : coordinates[i];
      if (at < 0 || at >= dims[i]) {
        throw new IllegalArgumentException(
            "coordinate %d of dimension %d, which has %d".formatted(at, i, dims[i]));
      }
      rank = rank * dims[i] + at;
    }
    return rank;
  }

  /** The coordinates of a rank. */
  public int[] coordinates(int rank) {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank " + rank + " of a grid of " + size);
    }
    int[] coordinates = new int[dims.length];
    int rest = rank;
    for (int i = dims.length - 1; i >= 0; i--) {
      coordinates[i] = rest % dims[i];
      rest /= dims[i];
    }
    return coordinates;
  }

  /**
   * Whom a rank receives from and sends to when all pass something on along a dimension.
   *
   * @param displacement how far; negative: down
   */
  public Shift shift(int rank, int dimension, int displacement) {
    if (dimension < 0 || dimension >= dims.length) {
      throw new IllegalArgumentException("dimension " + dimension + " of " + dims.length);
    }
    return new Shift(
        neighbour(rank, dimension, -(long) displacement), neighbour(rank, dimension, displacement));
  }

  private int neighbour(int rank, int dimension, long displacement) {
    int[] coordinates = coordinates(rank);
    long at = coordinates[dimension] + displacement;
    if (periods[dimension]) {
      at = Math.floorMod(at, dims[dimension]);
    }
    if (at < 0 || at >= dims[dimension]) {
      return Communicator.PROC_NULL;
    }
    coordinates[dimension] = (int) at;
    return rank(coordinates);
  }

  /**
   * Two neighbours.
   *
   * @param source whom to receive from; {@link Communicator#PROC_NULL} where the grid ends
   * @param destination whom to send to; likewise
   */
  public record Shift(int source, int destination) {}

  /**
   * The grid of those dimensions that remain when the others are cut.
   *
   * @param remaining for each dimension whether it remains
   */
  public CartesianTopology sub(boolean... remaining) {
    int[] kept = kept(remaining, true);
    boolean[] rings = new boolean[kept.length];
    for (int i = 0; i < kept.length; i++) {
      rings[i] = periods[kept[i]];
    }
    return new CartesianTopology(pick(dims, kept), rings);
  }

  /** Which of the grids of {@link #sub} a rank is in, from 0. */
  public int slice(int rank, boolean... remaining) {
    int[] cut = kept(remaining, false);
    CartesianTopology slices = new CartesianTopology(pick(dims, cut), new boolean[cut.length]);
    return slices.rank(pick(coordinates(rank), cut));
  }

  /** The rank that a rank has in its grid of {@link #sub}. */
  public int rankInSlice(int rank, boolean... remaining) {
    return sub(remaining).rank(pick(coordinates(rank), kept(remaining, true)));
  }

  private int[] kept(boolean[] remaining, boolean which) {
    if (remaining.length != dims.length) {
      throw new IllegalArgumentException(
          "%d of %d dimensions remain or do not".formatted(remaining.length, dims.length));
    }
    return IntStream.range(0, dims.length).filter(i -> remaining[i] == which).toArray();
  }

  private static int[] pick(int[] from, int[] places) {
    return Arrays.stream(places).map(place -> from[place]).toArray();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CartesianTopology grid
        && Arrays.equals(dims, grid.dims)
        && Arrays.equals(periods, grid.periods);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims) + 31 * Arrays.hashCode(periods);
  }

  @Override
  public String toString() {
    return "grid of %s, rings: %s".formatted(Arrays.toString(dims), Arrays.toString(periods));
  }
}
