// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Derived types: their sizes, and what they pick from an array and put into one. */
final class Datatypes extends Program {

  private static final int LENGTH = 60;

  Datatypes() throws MPIException {}

  @Override
  void run() throws Exception {
    for (Elements type : Elements.all()) {
      Datatype base = type.datatype();
      int bytes = base.Size();
      tell(type, "basic", base, 4);
      tell(type, "contiguous", Datatype.Contiguous(3, base), 4);
      tell(type, "vector", Datatype.Vector(3, 2, 4, base), 2);
      tell(type, "hvector", Datatype.Hvector(3, 2, 5 * bytes, base), 2);
      int[] lengths = {1, 3, 2};
      int[] places = {0, 5, 11};
      tell(type, "indexed", Datatype.Indexed(lengths, places, base), 2);
      int[] inBytes = {0, 5 * bytes, 11 * bytes};
      tell(type, "hindexed", Datatype.Hindexed(lengths, inBytes, base), 2);
      Datatype[] same = {base, base, base};
      tell(type, "struct", Datatype.Struct(lengths, inBytes, same), 2);
      nested(type);
      columns(type);
    }
  }

  private void nested(Elements type) throws MPIException {
    Datatype pairs = Datatype.Contiguous(2, type.datatype());
    tell(type, "vector of pairs", Datatype.Vector(2, 1, 3, pairs), 2);
    Datatype gaps = Datatype.Vector(2, 1, 2, type.datatype());
    tell(type, "indexed of gaps", Datatype.Indexed(new int[] {1, 2}, new int[] {1, 4}, gaps), 1);
    tell(type, "contiguous of gaps", Datatype.Contiguous(3, gaps), 2);
  }

  /** Derived to basic, basic to derived, and derived to derived; also with collectives. */
  private void tell(Elements type, String what, Datatype derived, int count) throws MPIException {
    derived.Commit();
    int elements = count * derived.Size() / type.datatype().Size();
    say(
        "%s %s: size %d, extent %d, from %d to %d"
            .formatted(
                type.name(), what, derived.Size(), derived.Extent(), derived.Lb(), derived.Ub()));
    Object from = type.filled(LENGTH, rank + 1);
    exchange(what + " to basic", type, from, derived, count, type.datatype(), elements);
    exchange(what + " from basic", type, from, type.datatype(), elements, derived, count);
    exchange(what + " to itself", type, from, derived, count, derived, count);
    Object buffer = type.filled(LENGTH, rank + 1);
    MPI.COMM_WORLD.Bcast(buffer, 2, count, derived, size - 1);
    say(type.name() + " " + what + " Bcast", buffer);
  }

  private void exchange(
      String what,
      Elements type,
      Object from,
      Datatype sent,
      int sendCount,
      Datatype received,
      int receiveCount)
      throws MPIException {
    Object into = type.room(LENGTH);
    Status status =
        MPI.COMM_WORLD.Sendrecv(
            from, 3, sendCount, sent, next(), 9, into, 1, receiveCount, received, before(), 9);
    int count = status.Get_count(received);
    int elements = status.Get_elements(received);
    say("%s %s, %d with %d,".formatted(type.name(), what, count, elements), into);
  }

  /** Columns of a matrix go to rows. */
  private void columns(Elements type) throws MPIException {
    int rows = 4;
    Datatype column = Datatype.Vector(rows, 1, size, type.datatype());
    column.Commit();
    Object matrix = type.filled(rows * size, rank);
    Object row = type.room(rows);
    for (int i = 0; i < size; i++) {
      int to = (rank + i) % size;
      int from = (rank + size - i) % size;
      MPI.COMM_WORLD.Sendrecv(matrix, to, 1, column, to, i, row, 0, rows, type.datatype(), from, i);
      say(type.name() + " column from " + from, row);
    }
  }
}
