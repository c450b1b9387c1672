// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.GraphTopology;
import io.verbena.mpi.Intracommunicator;
import org.jspecify.annotations.Nullable;

/** A communicator whose ranks have neighbours (MPI 4.1, chapter 8). */
public class Graphcomm extends Intracomm {

  Graphcomm(@Nullable Intracommunicator communicator) {
    super(communicator);
  }

  private GraphTopology graph() {
    return (GraphTopology) intra().topology().orElseThrow();
  }

  /** The graph. */
  public GraphParms Get() {
    GraphTopology graph = graph();
    GraphParms parms = new GraphParms();
    parms.index = graph.index();
    parms.edges = graph.edges();
    return parms;
  }

  /** The neighbours of a rank. */
  public int[] Neighbours(int rank) {
    return call(() -> graph().neighbours(rank));
  }

  /** The rank that this process would best have in such a graph: its own. */
  public int Map(int[] index, int[] edges) {
    MPIException.check(index != null && edges != null, "index or edges are null");
    return place(call(() -> GraphTopology.of(index, edges)).size());
  }

  @Override
  public int Topo_test() {
    GraphTopology unused = graph();
    return MPI.GRAPH;
  }

  @Override
  public Object clone() {
    return call(() -> new Graphcomm(intra().dup()));
  }
}
