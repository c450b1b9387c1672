// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.Layout;
import org.jspecify.annotations.Nullable;

/** The collective calls that copy data (MPI 4.1, sections 6.4 to 6.8). */
record DataMovement(Intracommunicator members) {

  private ObjectCollectives objects() {
    return new ObjectCollectives(members);
  }

  void bcast(Side data, int root) throws InterruptedException {
    if (data.type().isOfObjects()) {
      objects().bcast(data.part(), root);
    } else {
      members.bcast(data.layout(), root);
    }
  }

  /**
   * Gathers.
   *
   * @param into at the root, else null
   * @param isByCounts whether members may give different numbers of elements
   */
  void gather(Side from, @Nullable Side into, int root, boolean isByCounts)
      throws InterruptedException {
    if (areOfObjects(from, into)) {
      Side all = into == null ? from : into.checked(members.size());
      objects().gather(from.part(), all::part, root);
      return;
    }
    Layout mine = from.layout();
    Blocks all = into == null ? null : into.blocks(members.size());
    if (isByCounts) {
      members.gatherv(mine, all, root);
    } else {
      members.gather(mine, all, root);
    }
  }

  /**
   * Scatters.
   *
   * @param from at the root, else null
   * @param isByCounts whether members may get different numbers of elements
   */
  void scatter(@Nullable Side from, Side into, int root, boolean isByCounts)
      throws InterruptedException {
    if (areOfObjects(into, from)) {
      Side all = from == null ? into : from.checked(members.size());
      objects().scatter(all::part, into.part(), root);
      return;
    }
    Blocks all = from == null ? null : from.blocks(members.size());
    Layout mine = into.layout();
    if (isByCounts) {
      members.scatterv(all, mine, root);
    } else {
      members.scatter(all, mine, root);
    }
  }

  void allgather(Side from, Side into) throws InterruptedException {
    if (areOfObjects(from, into)) {
      Side all = into.checked(members.size());
      objects().allgather(from.part(), all::part);
    } else {
      Layout mine = from.layout();
      members.allgather(mine, into.blocks(members.size()));
    }
  }

  void alltoall(Side from, Side into) throws InterruptedException {
    if (areOfObjects(from, into)) {
      Side sent = from.checked(members.size());
      Side received = into.checked(members.size());
      objects().alltoall(sent::part, received::part);
      return;
    }
    Blocks sent = from.blocks(members.size());
    Blocks received = into.blocks(members.size());
    if (from.counts() == null) {
      members.alltoall(sent, received);
    } else {
      members.alltoallv(sent, received);
    }
  }

  /** Whether both are, where there are two: one alone cannot be. */
  private static boolean areOfObjects(Side mine, @Nullable Side all) {
    boolean are = mine.type().isOfObjects();
    MPIException.check(
        all == null || all.type().isOfObjects() == are,
        "%s is on one side, %s on the other: both or none are of objects",
        mine.type(),
        all == null ? "nothing" : all.type());
    return are;
  }
}
