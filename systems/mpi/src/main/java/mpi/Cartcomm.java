// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.CartesianTopology;
import io.verbena.mpi.Dimensions;
import io.verbena.mpi.Intracommunicator;
import org.jspecify.annotations.Nullable;

/** A communicator whose ranks lie in a grid (MPI 4.1, chapter 8). */
public class Cartcomm extends Intracomm {

  Cartcomm(@Nullable Intracommunicator communicator) {
    super(communicator);
  }

  private CartesianTopology grid() {
    return (CartesianTopology) intra().topology().orElseThrow();
  }

  /** The rank at these coordinates; any number is one in a dimension that is a ring. */
  public int Rank(int[] coords) {
    MPIException.check(coords != null, "array of coordinates is null");
    return call(() -> grid().rank(coords));
  }

  /** The coordinates of a rank. */
  public int[] Coords(int rank) {
    return call(() -> grid().coordinates(rank));
  }

  /**
   * Whom to receive from and send to when all pass something on.
   *
   * @param direction a dimension, from 0 on
   * @param disp how far
   */
  public ShiftParms Shift(int direction, int disp) {
    CartesianTopology.Shift shift = call(() -> grid().shift(Rank(), direction, disp));
    return new ShiftParms(rank(shift.source()), rank(shift.destination()));
  }

  private static int rank(int found) {
    return found == io.verbena.mpi.Communicator.PROC_NULL ? MPI.PROC_NULL : found;
  }

  /** Communicators of those that differ in the remaining dimensions alone. Collective. */
  public Cartcomm Sub(boolean[] remainDims) {
    MPIException.check(remainDims != null, "array of remaining dimensions is null");
    return call(() -> new Cartcomm(intra().sub(remainDims)));
  }

  /**
   * The rank that this process would best have in such a grid: its own; see {@link #Create_cart}.
   */
  public int Map(int[] dims, boolean[] periods) {
    MPIException.check(dims != null && periods != null, "dimensions or periods are null");
    int size = call(() -> CartesianTopology.of(dims, periods)).size();
    return place(size);
  }

  /** The dimensions, and where this process is. */
  public CartParms Get() {
    CartesianTopology grid = grid();
    return new CartParms(grid.dims(), grid.periods(), grid.coordinates(Rank()));
  }

  @Override
  public int Topo_test() {
    CartesianTopology unused = grid();
    return MPI.CART;
  }

  /**
   * Chooses those dimensions that are 0, so that all together have as many processes.
   *
   * @param dims is written to
   */
  public static void Dims_create(int nnodes, int[] dims) {
    MPIException.check(dims != null, "array of dimensions is null");
    int[] chosen = call(() -> Dimensions.create(nnodes, dims));
    System.arraycopy(chosen, 0, dims, 0, dims.length);
  }

  @Override
  public Object clone() {
    return call(() -> new Cartcomm(intra().dup()));
  }
}
