// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.CartesianTopology;
import io.verbena.mpi.GraphTopology;
import io.verbena.mpi.Intracommunicator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of one group (MPI 4.1, chapters 6 to 8). Calls marked <i>collective</i> are made
 * by all members in the same order. Where several are made from one, those that are no members of
 * any get one for which {@link #Is_null} is true.
 */
public class Intracomm extends Comm {

  Intracomm(@Nullable Intracommunicator communicator) {
    super(communicator);
  }

  /** That of who is no member. */
  private static Intracomm none() {
    return (Intracomm) MPI.COMM_NULL;
  }

  Intracommunicator intra() {
    return (Intracommunicator) communicator();
  }

  /** As {@link Comm#Compare}. */
  public static int Compare(Comm comm1, Comm comm2) {
    return Comm.Compare(comm1, comm2);
  }

  @Override
  public Object clone() {
    return call(() -> new Intracomm(intra().dup()));
  }

  /**
   * Communicators of those members that give the same color. Collective.
   *
   * @param color 0 or more, or {@code MPI.UNDEFINED} to be in none
   * @param key orders the members; where it is the same, the ranks here do
   */
  public Intracomm Split(int color, int key) {
    MPIException.check(
        color >= 0 || color == MPI.UNDEFINED, "color is %d; choose 0 or more, or UNDEFINED", color);
    int named = color == MPI.UNDEFINED ? Intracommunicator.NO_COLOR : color;
    return call(() -> intra().split(named, key)).map(Intracomm::new).orElseGet(Intracomm::none);
  }

  /** A communicator of the members in a group. Collective. */
  public Intracomm Create(Group group) {
    io.verbena.mpi.Group chosen = Group.of(group);
    return call(() -> intra().create(chosen)).map(Intracomm::new).orElseGet(Intracomm::none);
  }

  /**
   * A communicator of a grid of the first members. Collective.
   *
   * @param dims how many processes each dimension has
   * @param periods which dimensions are rings
   * @param reorder whether ranks may change; they do not
   */
  public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) {
    MPIException.check(dims != null && periods != null, "dimensions or periods are null");
    return call(() -> intra().create(CartesianTopology.of(dims, periods)))
        .map(Cartcomm::new)
        .orElseGet(() -> new Cartcomm(null));
  }

  /**
   * A communicator of a graph of the first members. Collective.
   *
   * @param index where the neighbours of each rank end in {@code edges}
   * @param edges the neighbours of all ranks, one behind the other
   * @param reorder whether ranks may change; they do not
   */
  public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
    MPIException.check(index != null && edges != null, "index or edges are null");
    return call(() -> intra().create(GraphTopology.of(index, edges)))
        .map(Graphcomm::new)
        .orElseGet(() -> new Graphcomm(null));
  }

  /** This process' rank, if it is one of the first {@code size}. */
  int place(int size) {
    MPIException.check(size <= Size(), "%d ranks; the communicator has %d", size, Size());
    return Rank() < size ? Rank() : MPI.UNDEFINED;
  }

  // ---------------------------------------------------------------- collective calls

  /** Returns when all members have called it. */
  public void Barrier() {
    Intracommunicator members = intra();
    run(members::barrier);
  }

  /** Copies the root's data to all. */
  public void Bcast(Object buf, int offset, int count, Datatype datatype, int root) {
    boolean isRoot = isRoot(root);
    Side side =
        isRoot ? Side.from(buf, offset, count, datatype) : Side.into(buf, offset, count, datatype);
    run(() -> movement().bcast(side, root));
  }

  /**
   * Copies each member's data to the root.
   *
   * @param recvcount how many come from each; as all that is about {@code recvbuf} it counts at the
   *     root alone
   */
  public void Gather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root) {
    Side from = Side.from(sendbuf, sendoffset, sendcount, sendtype);
    boolean isRoot = isRoot(root);
    Side into = isRoot ? Side.into(recvbuf, recvoffset, recvcount, recvtype) : null;
    run(() -> movement().gather(from, into, root, false));
  }

  /** As {@link #Gather}; what comes from each has a count and a place, in extents. */
  public void Gatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root) {
    Side from = Side.from(sendbuf, sendoffset, sendcount, sendtype);
    Side into =
        isRoot(root)
            ? Side.into(recvbuf, recvoffset, 0, recvtype).withParts(recvcount, displs, Size())
            : null;
    run(() -> movement().gather(from, into, root, true));
  }

  /**
   * Copies a part of the root's data to each member.
   *
   * @param sendcount how many go to each; as all that is about {@code sendbuf} it counts at the
   *     root alone
   */
  public void Scatter(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root) {
    Side into = Side.into(recvbuf, recvoffset, recvcount, recvtype);
    boolean isRoot = isRoot(root);
    Side from = isRoot ? Side.from(sendbuf, sendoffset, sendcount, sendtype) : null;
    run(() -> movement().scatter(from, into, root, false));
  }

  /** As {@link #Scatter}; what goes to each has a count and a place, in extents. */
  public void Scatterv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root) {
    Side into = Side.into(recvbuf, recvoffset, recvcount, recvtype);
    Side from =
        isRoot(root)
            ? Side.from(sendbuf, sendoffset, 0, sendtype).withParts(sendcount, displs, Size())
            : null;
    run(() -> movement().scatter(from, into, root, true));
  }

  /** Copies each member's data to all, one behind the other. */
  public void Allgather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype) {
    Side from = Side.from(sendbuf, sendoffset, sendcount, sendtype);
    Side into = Side.into(recvbuf, recvoffset, recvcount, recvtype);
    run(() -> movement().allgather(from, into));
  }

  /** As {@link #Allgather}; what comes from each has a count and a place, in extents. */
  public void Allgatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype) {
    Side from = Side.from(sendbuf, sendoffset, sendcount, sendtype);
    Side into = Side.into(recvbuf, recvoffset, 0, recvtype).withParts(recvcount, displs, Size());
    run(() -> movement().allgather(from, into));
  }

  /** Copies part {@code j} of member {@code i} to part {@code i} of member {@code j}. */
  public void Alltoall(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype) {
    Side from = Side.from(sendbuf, sendoffset, sendcount, sendtype);
    Side into = Side.into(recvbuf, recvoffset, recvcount, recvtype);
    run(() -> movement().alltoall(from, into));
  }

  /** As {@link #Alltoall}; parts have counts and places, in extents. */
  public void Alltoallv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype) {
    Side from = Side.from(sendbuf, sendoffset, 0, sendtype).withParts(sendcount, sdispls, Size());
    Side into = Side.into(recvbuf, recvoffset, 0, recvtype).withParts(recvcount, rdispls, Size());
    run(() -> movement().alltoall(from, into));
  }

  // ---------------------------------------------------------------- reductions

  /**
   * Reduces all members' data to the root.
   *
   * @param recvbuf counts at the root alone; may be {@code sendbuf} at the same offset
   */
  public void Reduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op,
      int root) {
    Side from = Side.from(sendbuf, sendoffset, count, datatype);
    Side into = isRoot(root) ? Side.into(recvbuf, recvoffset, count, datatype) : null;
    run(() -> reductions(op, datatype).reduce(from, into, root));
  }

  /**
   * Reduces all members' data to all of them.
   *
   * @param recvbuf may be {@code sendbuf} at the same offset
   */
  public void Allreduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op) {
    Side from = Side.from(sendbuf, sendoffset, count, datatype);
    Side into = Side.into(recvbuf, recvoffset, count, datatype);
    run(() -> reductions(op, datatype).allreduce(from, into));
  }

  /**
   * Reduces all members' data, and gives each its part of the result.
   *
   * @param recvcounts how many of the datatype each member gets, the same on all
   */
  public void Reduce_scatter(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      Datatype datatype,
      Op op) {
    int[] counts = Side.counts(recvcounts, Size());
    Side from = Side.from(sendbuf, sendoffset, Arrays.stream(counts).sum(), datatype);
    Side into = Side.into(recvbuf, recvoffset, counts[Rank()], datatype);
    run(() -> reductions(op, datatype).reduceScatter(from, counts, into));
  }

  /**
   * Reduces the data of the members up to this one, with it.
   *
   * @param recvbuf may be {@code sendbuf} at the same offset
   */
  public void Scan(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op) {
    Side from = Side.from(sendbuf, sendoffset, count, datatype);
    Side into = Side.into(recvbuf, recvoffset, count, datatype);
    run(() -> reductions(op, datatype).scan(from, into));
  }

  // ---------------------------------------------------------------- how they are called

  /** What has no result of its own. */
  private interface Collective {
    void run() throws InterruptedException;
  }

  private static void run(Collective part) {
    try {
      part.run();
    } catch (InterruptedException | RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  private DataMovement movement() {
    return new DataMovement(intra());
  }

  private GlobalReductions reductions(Op op, Datatype datatype) {
    return new GlobalReductions(intra(), Op.usable(op, datatype));
  }

  private boolean isRoot(int root) {
    MPIException.check(
        root >= 0 && root < Size(), "root is rank %d; there are 0 to %d", root, Size() - 1);
    return root == Rank();
  }
}
