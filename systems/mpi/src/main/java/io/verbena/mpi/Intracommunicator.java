// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.collective.Collectives;
import io.verbena.mpi.collective.Reduction;
import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Message;
import io.verbena.mpi.device.SendRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of one group: each member talks with each, and all together (MPI 4.1, chapters 6
 * and 7).
 *
 * <p>Calls that all members make together, marked <i>collective</i>, are made by all in the same
 * order, by one thread of each at a time.
 */
public final class Intracommunicator extends Communicator {

  /** The color of a member that will be in none of the communicators of {@link #split}. */
  public static final int NO_COLOR = -1;

  private static final int NO_ID = -1;

  private final Collectives collectives;
  private final @Nullable Topology topology;

  Intracommunicator(World world, int id, Group group, @Nullable Topology topology) {
    super(world, id, group, group);
    this.collectives = world.collectives(Context.of(id + 1, group.processes()), rank());
    this.topology = topology;
  }

  /** The neighbourhood that its ranks have, if it has one. */
  public Optional<Topology> topology() {
    return Optional.ofNullable(topology);
  }

  // ---------------------------------------------------------------- collective calls

  /** Returns when all members have called it. Collective, as all that follow. */
  public void barrier() throws InterruptedException {
    together(collectives::barrier);
  }

  /** Copies the root's data to all; as many bytes on all members. */
  public void bcast(Layout data, int root) throws InterruptedException {
    together(() -> collectives.bcast(data, root));
  }

  /**
   * Copies each member's data to the root; all have as many bytes.
   *
   * @param mine null at the root if its data lies in its block already ({@code MPI_IN_PLACE})
   * @param all where it goes; at the root alone, else null
   */
  public void gather(@Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    together(() -> collectives.gather(mine, all, root));
  }

  /** As {@link #gather}; members may have different numbers of bytes. */
  public void gatherv(@Nullable Layout mine, @Nullable Blocks all, int root)
      throws InterruptedException {
    together(() -> collectives.gatherv(mine, all, root));
  }

  /**
   * Copies a block of the root's to each member; all have as many bytes.
   *
   * @param all what is sent; at the root alone, else null
   * @param mine null at the root if its block is to stay where it is
   */
  public void scatter(@Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    together(() -> collectives.scatter(all, mine, root));
  }

  /** As {@link #scatter}; members may have different numbers of bytes. */
  public void scatterv(@Nullable Blocks all, @Nullable Layout mine, int root)
      throws InterruptedException {
    together(() -> collectives.scatterv(all, mine, root));
  }

  /**
   * Copies each member's data to all; they may have different numbers of bytes.
   *
   * @param mine null if it lies in its block already
   * @param all the same lengths on all members
   */
  public void allgather(@Nullable Layout mine, Blocks all) throws InterruptedException {
    together(() -> collectives.allgather(mine, all));
  }

  /**
   * Copies block {@code j} of member {@code i} to block {@code i} of member {@code j}; all have as
   * many bytes.
   *
   * @param from null if it is {@code into}, which the others' blocks replace then
   */
  public void alltoall(@Nullable Blocks from, Blocks into) throws InterruptedException {
    together(() -> collectives.alltoall(from, into));
  }

  /** As {@link #alltoall}; blocks may have different numbers of bytes. */
  public void alltoallv(@Nullable Blocks from, Blocks into) throws InterruptedException {
    together(() -> collectives.alltoallv(from, into));
  }

  /**
   * Reduces all members' data to the root; as many bytes on all members.
   *
   * @param from null at the root if it lies in {@code into}
   * @param into where the result goes; at the root alone, else null
   */
  public void reduce(@Nullable Layout from, @Nullable Layout into, Reduction reduction, int root)
      throws InterruptedException {
    together(() -> collectives.reduce(from, into, reduction, root));
  }

  /**
   * Reduces all members' data to all of them; as many bytes on all members.
   *
   * @param from null if it lies in {@code into}
   */
  public void allreduce(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    together(() -> collectives.allreduce(from, into, reduction));
  }

  /**
   * Reduces all members' data, and gives each its part of the result.
   *
   * @param from all parts, on each member
   * @param counts how many elements each member gets, in their order; the same on all
   * @param into this member's part
   */
  public void reduceScatter(Layout from, int[] counts, Layout into, Reduction reduction)
      throws InterruptedException {
    together(() -> collectives.reduceScatter(from, counts, into, reduction));
  }

  /**
   * Reduces the data of the members up to this one, with it; as many bytes on all members.
   *
   * @param from null if it lies in {@code into}
   */
  public void scan(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    together(() -> collectives.scan(from, into, reduction));
  }

  /** As {@link #scan}, without this member's own; at member 0 nothing is written. */
  public void exscan(@Nullable Layout from, Layout into, Reduction reduction)
      throws InterruptedException {
    together(() -> collectives.exscan(from, into, reduction));
  }

  /** What has no result of its own. */
  private interface Part {
    void run() throws InterruptedException;
  }

  private void together(Part part) throws InterruptedException {
    boolean unused =
        collectively(
            () -> {
              part.run();
              return true;
            });
  }

  // ---------------------------------------------------------------- others made from it

  Agreement agreement() {
    return new Agreement(collectives, rank());
  }

  /** A communicator of the same group, with the same neighbourhood. Collective. */
  public Intracommunicator dup() throws InterruptedException {
    return collectively(() -> inheritAll(twin()));
  }

  /** The same, for the use of another communicator: without attributes. */
  Intracommunicator twin() throws InterruptedException {
    long[] made = {rank() == 0 ? world.ids().take() : NO_ID};
    agreement().broadcast(0, made);
    return make((int) made[0], group, topology);
  }

  /**
   * A communicator of some of the members; those give it the same group, the others may give {@link
   * Group#EMPTY}, or a group that is another communicator's. Collective.
   *
   * @return empty for who is not in the group
   * @throws IllegalArgumentException if one in the group is no member
   */
  public Optional<Intracommunicator> create(Group chosen) throws InterruptedException {
    return create(chosen, null);
  }

  private Optional<Intracommunicator> create(Group chosen, @Nullable Topology with)
      throws InterruptedException {
    Group strangers = chosen.difference(group);
    if (strangers.size() > 0) {
      throw new IllegalArgumentException(
          "processes %s are not in the group %s of %s".formatted(strangers, group, this));
    }
    return collectively(
        () -> {
          boolean leads = chosen.size() > 0 && chosen.rankOf(world.rank()) == 0;
          long[][] ids = agreement().allgather(leads ? world.ids().take() : NO_ID);
          if (!chosen.contains(world.rank())) {
            return Optional.empty();
          }
          int id = (int) ids[group.rankOf(chosen.processOf(0))][0];
          return Optional.of(make(id, chosen, with));
        });
  }

  /**
   * Communicators of those members that give the same color. Collective.
   *
   * @param color 0 or more, or {@link #NO_COLOR}
   * @param key orders the members of the new communicator; where it is the same the ranks here do
   * @return empty for who gives {@link #NO_COLOR}
   */
  public Optional<Intracommunicator> split(int color, int key) throws InterruptedException {
    if (color < NO_COLOR) {
      throw new IllegalArgumentException("color " + color + "; choose 0 or more, or NO_COLOR");
    }
    return collectively(
        () -> split(color, key, color == NO_COLOR ? NO_ID : world.ids().take(), null));
  }

  /**
   * @param id used if this process will be the first of the new communicator, else put back
   */
  private Optional<Intracommunicator> split(int color, int key, int id, @Nullable Topology with)
      throws InterruptedException {
    long[][] all = agreement().allgather(color, key, id);
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < size(); rank++) {
      if (all[rank][0] == color) {
        ranks.add(rank);
      }
    }
    if (color == NO_COLOR) {
      return Optional.empty();
    }
    ranks.sort(Comparator.comparingLong(rank -> all[rank][1])); // stable
    if (ranks.getFirst() != rank()) {
      world.ids().putBack(id);
    }
    Group chosen = group.include(ranks.stream().mapToInt(rank -> rank).toArray());
    return Optional.of(make((int) all[ranks.getFirst()][2], chosen, with));
  }

  private Intracommunicator make(int made, Group of, @Nullable Topology with) {
    return inherit(begin(world, made, of, with));
  }

  static Intracommunicator begin(World world, int id, Group group, @Nullable Topology with) {
    world.ids().begin(id, group.size());
    return new Intracommunicator(world, id, group, with);
  }

  // ---------------------------------------------------------------- neighbourhoods

  /**
   * A communicator whose ranks have a neighbourhood: as many of the first members as that has.
   * Collective. The order stays, which MPI allows whatever is said of reordering.
   *
   * @return empty for the other members
   * @throws IllegalArgumentException if it has more ranks than there are members
   */
  public Optional<Intracommunicator> create(Topology neighbourhood) throws InterruptedException {
    if (neighbourhood.size() > size()) {
      throw new IllegalArgumentException(
          "%s has %d ranks, %s only %d"
              .formatted(neighbourhood, neighbourhood.size(), this, size()));
    }
    int[] first = IntStream.range(0, neighbourhood.size()).toArray();
    return create(group.include(first), neighbourhood);
  }

  /**
   * Communicators of those members that differ in the remaining dimensions alone, with grids of
   * these. Collective.
   *
   * @param remaining for each dimension whether it remains
   * @throws IllegalStateException if this communicator has no grid
   */
  public Intracommunicator sub(boolean... remaining) throws InterruptedException {
    if (!(topology instanceof CartesianTopology grid)) {
      throw new IllegalStateException(this + " has no grid");
    }
    int slice = grid.slice(rank(), remaining);
    int key = grid.rankInSlice(rank(), remaining);
    CartesianTopology left = grid.sub(remaining);
    return collectively(() -> split(slice, key, world.ids().take(), left)).orElseThrow();
  }

  // ---------------------------------------------------------------- two groups

  /**
   * A communicator of this group and another one. Collective in each of the two groups, whose
   * leaders talk with each other in a communicator that both are in (MPI 4.1, section 7.6.2).
   *
   * @param leader the rank here of this group's leader
   * @param peer where the leaders talk; looked at by the leader alone, others may give this one
   * @param remoteLeader the rank there of the other group's leader; likewise
   * @param tag of the leaders' messages: nobody else uses it there meanwhile
   * @throws IllegalArgumentException if a process is in both groups
   */
  public Intercommunicator intercommunicator(
      int leader, Communicator peer, int remoteLeader, int tag) throws InterruptedException {
    return collectively(
        () -> {
          Intracommunicator local = twin();
          long[] met = rank() == leader ? meet(peer, remoteLeader, tag) : new long[0];
          long[] idAndOthers = agreement().broadcastAny(leader, met);
          return Intercommunicator.of(local, idAndOthers);
        });
  }

  /** By the leaders: the id that both use, and the processes of the other group. */
  private long[] meet(Communicator peer, int remoteLeader, int tag) throws InterruptedException {
    int id = world.ids().take();
    long[] mine = LongStream.concat(LongStream.of(id), group.numbers()).toArray();
    SendRequest send = peer.isend(Data.of(mine), remoteLeader, tag);
    Message answer = peer.mprobe(remoteLeader, tag);
    long[] theirs = new long[(int) (answer.status().bytes() / Long.BYTES)];
    peer.await(peer.irecv(Data.of(theirs), answer));
    peer.await(send);
    if (world.rank() < peer.context().rankOf(remoteLeader)) {
      theirs[0] = id; // that of the lower one
    } else {
      world.ids().putBack(id);
    }
    return theirs;
  }

  // ---------------------------------------------------------------- as values

  @Override
  void freePrivate() {}

  @Override
  public Similarity compare(Communicator other) {
    if (this == other) {
      return Similarity.IDENTICAL;
    }
    if (!(other instanceof Intracommunicator)) {
      return Similarity.UNEQUAL;
    }
    Similarity groups = group.compare(other.group());
    return groups == Similarity.IDENTICAL ? Similarity.CONGRUENT : groups;
  }

  @Override
  public String toString() {
    return switch (id) {
      case ContextIds.WORLD -> "communicator of all";
      case ContextIds.SELF -> "communicator of one";
      default -> "communicator %d of %s".formatted(id, Arrays.toString(group.processes()));
    };
  }
}
