// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

/** Who is whose neighbour among the ranks of a communicator (MPI 4.1, chapter 8). */
public sealed interface Topology permits CartesianTopology, GraphTopology {

  /** How many ranks it has. */
  int size();
}
