// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The neighbours that {@link Cartcomm#Shift} finds; {@code MPI.PROC_NULL} where the grid ends. */
public class ShiftParms {

  /** Whom to receive from. */
  public int rank_source;

  /** Whom to send to. */
  public int rank_dest;

  ShiftParms(int source, int dest) {
    rank_source = source;
    rank_dest = dest;
  }
}
