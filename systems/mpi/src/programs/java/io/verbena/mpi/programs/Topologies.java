// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.Arrays;
import mpi.CartParms;
import mpi.Cartcomm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.ShiftParms;
import mpi.Status;

/** Grids and graphs of ranks, and messages along them. */
final class Topologies extends Program {

  Topologies() throws MPIException {}

  @Override
  void run() throws Exception {
    grid(new int[] {size}, new boolean[] {true});
    grid(new int[] {size}, new boolean[] {false});
    if (size % 2 == 0) {
      grid(new int[] {size / 2, 2}, new boolean[] {true, false});
      grid(new int[] {2, size / 2}, new boolean[] {false, true});
      parts();
    }
    if (size == 8) {
      grid(new int[] {2, 2, 2}, new boolean[] {true, true, false});
    }
    dimensions();
    ringAsGraph();
    star();
  }

  private void grid(int[] dims, boolean[] periods) throws MPIException {
    Cartcomm grid = MPI.COMM_WORLD.Create_cart(dims, periods, false);
    CartParms parms = grid.Get();
    String what = "grid " + Arrays.toString(dims) + Arrays.toString(periods);
    say(what + " has", parms.dims);
    say(what + " wraps", parms.periods);
    say(what + " here", parms.coords);
    say(what + " is a grid: " + (grid.Topo_test() == MPI.CART));
    for (int i = 0; i < size; i++) {
      int[] coords = grid.Coords(i);
      say(what + " rank " + grid.Rank(coords) + " at", coords);
    }
    for (int direction = 0; direction < dims.length; direction++) {
      shift(what, grid, direction);
    }
  }

  /** MPJ Express has -1 for nobody, not PROC_NULL, and sends to neither. */
  private void shift(String what, Cartcomm grid, int direction) throws MPIException {
    for (int by : new int[] {1, -1, 2}) {
      ShiftParms shift = grid.Shift(direction, by);
      int[] into = {-1};
      Request send = null;
      if (shift.rank_dest >= 0) {
        send = grid.Isend(new int[] {rank}, 0, 1, MPI.INT, shift.rank_dest, 4);
      }
      if (shift.rank_source >= 0) {
        grid.Recv(into, 0, 1, MPI.INT, shift.rank_source, 4);
      }
      if (send != null) {
        send.Wait();
      }
      String from = name(shift.rank_source);
      String to = name(shift.rank_dest);
      say("%s shift %d by %d: %s, %s".formatted(what, direction, by, from, to), into);
    }
  }

  private static String name(int rank) {
    return rank < 0 ? "nobody" : "" + rank;
  }

  private void parts() throws MPIException {
    Cartcomm grid =
        MPI.COMM_WORLD.Create_cart(new int[] {size / 2, 2}, new boolean[] {true, true}, false);
    for (boolean[] remain : new boolean[][] {{true, false}, {false, true}, {true, true}}) {
      Cartcomm part = grid.Sub(remain);
      int[] sum = new int[1];
      part.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
      say("part %d of %d".formatted(part.Rank(), part.Size()), sum);
      say("part has", part.Get().dims);
    }
  }

  private void dimensions() throws MPIException {
    int[] two = new int[2];
    Cartcomm.Dims_create(size, two);
    say("Dims_create 2", two);
    int[] three = new int[3];
    Cartcomm.Dims_create(24, three);
    say("Dims_create 24", three);
    int[] given = {0, 2, 0};
    Cartcomm.Dims_create(24, given);
    say("Dims_create 24 with one given", given);
  }

  private void ringAsGraph() throws MPIException {
    int[] index = new int[size];
    int[] edges = new int[2 * size];
    for (int i = 0; i < size; i++) {
      index[i] = 2 * i + 2;
      edges[2 * i] = (i + size - 1) % size;
      edges[2 * i + 1] = (i + 1) % size;
    }
    tell("ring", MPI.COMM_WORLD.Create_graph(index, edges, false));
  }

  private void star() throws MPIException {
    int[] index = new int[size];
    int[] edges = new int[2 * size - 2];
    for (int i = 0; i < size; i++) {
      index[i] = size - 1 + i;
      if (i > 0) {
        edges[i - 1] = i;
      }
    }
    tell("star", MPI.COMM_WORLD.Create_graph(index, edges, false));
  }

  private void tell(String what, Graphcomm graph) throws MPIException {
    GraphParms parms = graph.Get();
    say(what + " index", parms.index);
    say(what + " edges", parms.edges);
    say(what + " is a graph: " + (graph.Topo_test() == MPI.GRAPH));
    int[] neighbours = graph.Neighbours(rank);
    say(what + " neighbours", neighbours);
    Request[] sends = new Request[neighbours.length];
    for (int i = 0; i < sends.length; i++) {
      sends[i] = graph.Isend(new int[] {rank * rank}, 0, 1, MPI.INT, neighbours[i], 6);
    }
    for (int each : neighbours) {
      int[] into = new int[1];
      Status got = graph.Recv(into, 0, 1, MPI.INT, each, 6);
      say(what + " from " + got.source, into);
    }
    Request.Waitall(sends);
  }
}
