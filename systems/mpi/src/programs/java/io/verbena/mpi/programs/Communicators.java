// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Groups, and communicators made of them, also between two groups. */
final class Communicators extends Program {

  private final Intracomm all = MPI.COMM_WORLD;

  Communicators() throws MPIException {}

  @Override
  void run() throws Exception {
    groups();
    compared();
    apart();
    created();
    split();
    if (size >= 2) {
      between();
    }
  }

  private void tell(String what, Group group) throws MPIException {
    int[] here = IntStream.range(0, group.Size()).toArray();
    int[] there = Group.Translate_ranks(group, here, all.Group());
    say("%s: rank %s of %d".formatted(what, place(group.Rank()), group.Size()), there);
  }

  private static String place(int rank) {
    return rank == MPI.UNDEFINED ? "none" : "" + rank;
  }

  private static String compared(int result) {
    return result == MPI.IDENT
        ? "identical"
        : result == MPI.CONGRUENT ? "congruent" : result == MPI.SIMILAR ? "similar" : "unequal";
  }

  private void groups() throws MPIException {
    Group group = all.Group();
    int[] even = IntStream.range(0, (size + 1) / 2).map(i -> 2 * i).toArray();
    Group evens = group.Incl(even);
    Group odds = group.Excl(even);
    tell("even", evens);
    tell("odd", odds);
    tell("union", Group.Union(odds, evens));
    tell("intersection", Group.Intersection(evens, group));
    tell("difference", Group.Difference(group, evens));
    tell("range", group.Range_incl(new int[][] {{size - 1, 0, -1}}));
    tell("without a range", group.Range_excl(new int[][] {{0, size / 2 - 1, 1}}));
    int[] back = IntStream.range(0, size).map(i -> size - 1 - i).toArray();
    say("itself " + compared(Group.Compare(group, all.Group())));
    say("backwards " + compared(Group.Compare(group, group.Incl(back))));
    say("the half " + compared(Group.Compare(group, evens)));
    say("in the half", Group.Translate_ranks(evens, new int[] {0}, group));
  }

  private void compared() throws MPIException {
    Intracomm copy = (Intracomm) all.clone();
    say("the world and itself " + compared(Comm.Compare(all, all)));
    say("the world and its copy " + compared(Comm.Compare(all, copy)));
    say("between groups: " + all.Test_inter());
    say("has no topology: " + (all.Topo_test() == MPI.UNDEFINED));
  }

  /** Messages of one communicator are not those of another. */
  private void apart() throws MPIException {
    Intracomm copy = (Intracomm) all.clone();
    int[] into = new int[2];
    all.Isend(new int[] {rank}, 0, 1, MPI.INT, next(), 1);
    copy.Isend(new int[] {100 + rank}, 0, 1, MPI.INT, next(), 1);
    copy.Recv(into, 0, 1, MPI.INT, before(), 1);
    all.Recv(into, 1, 1, MPI.INT, before(), 1);
    say("apart", into);
    copy.Barrier();
  }

  private void created() throws MPIException {
    int[] even = IntStream.range(0, (size + 1) / 2).map(i -> 2 * i).toArray();
    Intracomm evens = all.Create(all.Group().Incl(even));
    if (rank % 2 == 0) {
      int[] sum = new int[1];
      evens.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
      say("created: rank %d of %d, sum".formatted(evens.Rank(), evens.Size()), sum);
    } else {
      say("created without this one: " + (evens == null));
    }
  }

  private void split() throws MPIException {
    Intracomm part = all.Split(rank % 3, -rank);
    int[] ranks = new int[part.Size()];
    part.Allgather(new int[] {rank}, 0, 1, MPI.INT, ranks, 0, 1, MPI.INT);
    say("split: rank %d of %d, of".formatted(part.Rank(), part.Size()), ranks);
    Intracomm again = part.Split(0, part.Rank());
    int[] sum = new int[1];
    again.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    say("split again", sum);
  }

  private void between() throws MPIException {
    int half = size / 2;
    boolean isLow = rank < half;
    Intracomm mine = all.Split(isLow ? 0 : 1, rank);
    Intercomm both = all.Create_intercomm(mine, 0, isLow ? half : 0, 12);
    say(
        "between: rank %d of %d, there %d, %s"
            .formatted(both.Rank(), both.Size(), both.Remote_size(), both.Test_inter()));
    tell("there", both.Remote_group());
    int peer = both.Rank() % both.Remote_size();
    if (both.Rank() < Math.min(both.Size(), both.Remote_size())) {
      int[] into = new int[1];
      Status status =
          both.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, peer, 3, into, 0, 1, MPI.INT, peer, 3);
      say("from there, of " + status.source, into);
    }
    Intracomm merged = both.Merge(isLow);
    int[] ranks = new int[merged.Size()];
    merged.Allgather(new int[] {rank}, 0, 1, MPI.INT, ranks, 0, 1, MPI.INT);
    say("merged: rank %d of".formatted(merged.Rank()), ranks);
  }
}
