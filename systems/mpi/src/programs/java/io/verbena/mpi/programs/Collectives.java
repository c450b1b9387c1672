// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The collectives that move data, with every type and from every root; parts may differ in size.
 */
final class Collectives extends Program {

  private static final int[] COUNTS = {3, 1_000};

  private final Intracomm all = MPI.COMM_WORLD;

  Collectives() throws MPIException {}

  @Override
  void run() throws Exception {
    for (Elements type : Elements.all()) {
      for (int count : COUNTS) {
        for (int root = 0; root < size; root++) {
          rooted(type, count, root);
        }
        symmetric(type, count);
      }
      unequal(type);
    }
    large();
  }

  private void rooted(Elements type, int count, int root) throws MPIException {
    String what = " %s x %d at %d".formatted(type.name(), count, root);
    Object buffer = type.filled(count + 2, rank);
    all.Bcast(buffer, 1, count, type.datatype(), root);
    say("Bcast" + what, buffer);
    Object gathered = type.room(count * size);
    all.Gather(
        type.filled(count, rank),
        0,
        count,
        type.datatype(),
        gathered,
        0,
        count,
        type.datatype(),
        root);
    if (rank == root) { // MPJ Express leaves something with others, too
      say("Gather" + what, gathered);
    }
    Object part = type.room(count);
    all.Scatter(
        type.filled(count * size, rank),
        0,
        count,
        type.datatype(),
        part,
        0,
        count,
        type.datatype(),
        root);
    say("Scatter" + what, part);
  }

  private void symmetric(Elements type, int count) throws MPIException {
    String what = " %s x %d".formatted(type.name(), count);
    Object gathered = type.room(count * size);
    all.Allgather(
        type.filled(count, rank), 0, count, type.datatype(), gathered, 0, count, type.datatype());
    say("Allgather" + what, gathered);
    Object turned = type.room(count * size);
    all.Alltoall(
        type.filled(count * size, rank),
        0,
        count,
        type.datatype(),
        turned,
        0,
        count,
        type.datatype());
    say("Alltoall" + what, turned);
  }

  /** Rank i has i + 1 elements, and there is an element between the parts. */
  private void unequal(Elements type) throws MPIException {
    int[] counts = new int[size];
    int[] places = new int[size];
    int room = 0;
    for (int i = 0; i < size; i++) {
      counts[i] = i + 1;
      places[i] = room;
      room += counts[i] + 1;
    }
    for (int root = 0; root < size; root++) {
      Object gathered = type.room(room);
      all.Gatherv(
          type.filled(size, rank),
          0,
          rank + 1,
          type.datatype(),
          gathered,
          0,
          counts,
          places,
          type.datatype(),
          root);
      say("Gatherv " + type.name() + " at " + root, gathered);
      Object part = type.room(size);
      all.Scatterv(
          type.filled(room, rank),
          0,
          counts,
          places,
          type.datatype(),
          part,
          0,
          rank + 1,
          type.datatype(),
          root);
      say("Scatterv " + type.name() + " at " + root, part);
    }
    Object gathered = type.room(room);
    all.Allgatherv(
        type.filled(size, rank),
        0,
        rank + 1,
        type.datatype(),
        gathered,
        0,
        counts,
        places,
        type.datatype());
    say("Allgatherv " + type.name(), gathered);
    unequalToAll(type, counts, places, room);
  }

  /** Rank i sends j + 1 elements to rank j, which gets j + 1 from each. */
  private void unequalToAll(Elements type, int[] counts, int[] places, int room)
      throws MPIException {
    int[] mine = new int[size];
    int[] mineAt = new int[size];
    for (int i = 0; i < size; i++) {
      mine[i] = rank + 1;
      mineAt[i] = i * (rank + 2);
    }
    Object turned = type.room(size * (rank + 2));
    all.Alltoallv(
        type.filled(room, rank),
        0,
        counts,
        places,
        type.datatype(),
        turned,
        0,
        mine,
        mineAt,
        type.datatype());
    say("Alltoallv " + type.name(), turned);
  }

  /** Beyond what goes at once. */
  private void large() throws MPIException {
    int count = 100_000;
    Elements type = Elements.all().get(4);
    Object buffer = type.filled(count, rank);
    all.Bcast(buffer, 0, count, MPI.INT, size - 1);
    say("Bcast large", buffer);
    Object gathered = type.room(count * size);
    all.Allgather(type.filled(count, rank), 0, count, MPI.INT, gathered, 0, count, MPI.INT);
    say("Allgather large", gathered);
    Object turned = type.room(count * size);
    all.Alltoall(type.filled(count * size, rank), 0, count, MPI.INT, turned, 0, count, MPI.INT);
    say("Alltoall large", turned);
    all.Barrier();
  }
}
