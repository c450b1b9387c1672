// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What {@link Graphcomm#Get} tells of a graph. */
public class GraphParms {

  /** Where the neighbours of each rank end in {@code edges}. */
  public int[] index = {};

  /** The neighbours of all ranks, one behind the other. */
  public int[] edges = {};

  /** Those of no graph. */
  public GraphParms() {}
}
