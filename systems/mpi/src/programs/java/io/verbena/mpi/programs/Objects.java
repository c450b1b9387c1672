// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/** Objects as elements: records, collections, arrays of arrays; also large ones, and reduced. */
final class Objects extends Program {

  private static final int MANY = 20_000; // numbers in a large object

  private final Intracomm all = MPI.COMM_WORLD;

  Objects() throws MPIException {}

  /** What travels. */
  private record Place(String name, int[] numbers, List<Integer> more) implements Serializable {
    @Override
    public String toString() {
      return name + Arrays.toString(numbers) + more;
    }
  }

  private static Object[] places(int count, int seed) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Place("place " + i, new int[] {seed, i}, List.of(seed * i)))
        .toArray();
  }

  @Override
  void run() throws Exception {
    modes();
    large();
    mixed();
    collectives();
    vectors();
    reductions();
  }

  private void modes() throws MPIException {
    for (int count : new int[] {1, 4}) {
      Object[] into = new Object[6];
      Request receive = all.Irecv(into, 1, count, MPI.OBJECT, before(), 2);
      all.Send(places(6, rank), 2, count, MPI.OBJECT, next(), 2);
      Status status = receive.Wait();
      say("Send %d objects from %d".formatted(count, status.source), into);
      receive = all.Irecv(into, 0, count, MPI.OBJECT, before(), 2);
      all.Ssend(places(6, rank + 9), 1, count, MPI.OBJECT, next(), 2);
      receive.Wait();
      say("Ssend objects", into);
      Request send = all.Isend(places(6, rank + 19), 0, count, MPI.OBJECT, next(), 3);
      status = all.Recv(into, 2, count, MPI.OBJECT, before(), 3);
      send.Wait();
      say("Isend objects, count " + status.Get_count(MPI.OBJECT), into);
    }
    Object[] mine = places(2, rank);
    all.Sendrecv_replace(mine, 0, 2, MPI.OBJECT, next(), 4, before(), 4);
    say("Sendrecv_replace objects", mine);
  }

  private void large() throws MPIException {
    Object[] from = {IntStream.range(0, MANY).map(i -> i * (rank + 1)).toArray()};
    Object[] into = new Object[1];
    Request send = all.Isend(from, 0, 1, MPI.OBJECT, next(), 5);
    all.Recv(into, 0, 1, MPI.OBJECT, before(), 5);
    send.Wait();
    say("a large object", into[0]);
  }

  private void mixed() throws MPIException {
    Object[] from = {
      "text " + rank,
      rank,
      rank / 2.0,
      new int[][] {{rank}, {1, 2}},
      Map.of("rank", rank),
      new String[] {"a", "b" + rank}
    };
    Object[] into = new Object[6];
    all.Sendrecv(from, 0, 6, MPI.OBJECT, next(), 6, into, 0, 6, MPI.OBJECT, before(), 6);
    say("mixed objects", into);
  }

  private void collectives() throws MPIException {
    for (int root = 0; root < size; root++) {
      Object[] buffer = rank == root ? places(3, rank) : new Object[3];
      all.Bcast(buffer, 0, 3, MPI.OBJECT, root);
      say("Bcast objects", buffer);
      Object[] gathered = new Object[2 * size];
      all.Gather(places(2, rank), 0, 2, MPI.OBJECT, gathered, 0, 2, MPI.OBJECT, root);
      say("Gather objects", rank == root ? gathered : new Object[0]);
      Object[] part = new Object[2];
      all.Scatter(places(2 * size, rank), 0, 2, MPI.OBJECT, part, 0, 2, MPI.OBJECT, root);
      say("Scatter objects", part);
    }
    Object[] gathered = new Object[size];
    all.Allgather(places(1, rank), 0, 1, MPI.OBJECT, gathered, 0, 1, MPI.OBJECT);
    say("Allgather objects", gathered);
    Object[] turned = new Object[size];
    all.Alltoall(places(size, rank), 0, 1, MPI.OBJECT, turned, 0, 1, MPI.OBJECT);
    say("Alltoall objects", turned);
  }

  /** Every other object. */
  private void vectors() throws MPIException {
    Datatype every = Datatype.Vector(3, 1, 2, MPI.OBJECT);
    every.Commit();
    Object[] into = new Object[6];
    all.Sendrecv(places(6, rank), 0, 1, every, next(), 7, into, 0, 3, MPI.OBJECT, before(), 7);
    say("every other object", into);
  }

  /** Joins texts, in the order of the ranks. */
  private static final class Join extends User_function {
    @Override
    public void Call(
        Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype datatype) {
      Object[] before = (Object[]) in;
      Object[] after = (Object[]) inOut;
      for (int i = 0; i < count; i++) {
        after[inOutOffset + i] = before[inOffset + i] + "," + after[inOutOffset + i];
      }
    }
  }

  private void reductions() throws MPIException {
    Op join = new Op(new Join(), false);
    Object[] mine = {"a" + rank, "b" + rank};
    for (int root = 0; root < size; root++) {
      Object[] into = new Object[2];
      all.Reduce(mine, 0, into, 0, 2, MPI.OBJECT, join, root);
      if (rank == root) {
        say("Reduce objects", into);
      }
    }
    Object[] into = new Object[2];
    all.Allreduce(mine, 0, into, 0, 2, MPI.OBJECT, join);
    say("Allreduce objects", into);
    all.Scan(mine, 0, into, 0, 2, MPI.OBJECT, join);
    say("Scan objects", into);
  }
}
