// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.SendRequest;
import io.verbena.mpi.device.Status;
import java.util.Arrays;

/**
 * A communicator of two groups without common members: who sends or receives talks with the other
 * group (MPI 4.1, section 7.6).
 */
public final class Intercommunicator extends Communicator {

  private static final int TAG = 0;

  private final Group remote;
  private final Context between; // the first member of each group, while another one is made
  private final Intracommunicator local;

  /**
   * @param local of this process' own group, for this communicator alone
   */
  private Intercommunicator(Intracommunicator local, int id, Group remote) {
    super(local.world, id, local.group, remote);
    this.remote = remote;
    this.between = Context.of(id + 1, remote.processes());
    this.local = local;
  }

  /** The communicator with this id, and a group of these processes. */
  static Intercommunicator of(Intracommunicator local, long... idAndOthers) {
    int[] numbers = Arrays.stream(idAndOthers).mapToInt(Math::toIntExact).toArray();
    Group others = Group.of(Arrays.copyOfRange(numbers, 1, numbers.length));
    Group common = local.group.intersection(others);
    if (common.size() > 0) {
      throw new IllegalArgumentException(
          "processes %s are in both groups, %s and %s".formatted(common, local.group, others));
    }
    return begin(local, numbers[0], others);
  }

  private static Intercommunicator begin(Intracommunicator local, int id, Group remote) {
    local.world.ids().begin(id, local.size() + remote.size());
    return local.inherit(new Intercommunicator(local, id, remote));
  }

  /** The other group. */
  public Group remoteGroup() {
    return remote;
  }

  /** How many members the other group has. */
  public int remoteSize() {
    return remote.size();
  }

  // ---------------------------------------------------------------- others made from it

  /** A communicator of the same two groups. Collective in both. */
  public Intercommunicator dup() throws InterruptedException {
    return collectively(
        () -> {
          Agreed agreed = agree(0);
          return inheritAll(inherit(begin(local.twin(), agreed.id(), remote)));
        });
  }

  /**
   * A communicator of the members of both groups, one behind the other. Collective in both.
   *
   * @param isHigh whether this group is the second one; all its members say the same. If both
   *     groups do, that is the first of which the first member has the lower number in the job
   */
  public Intracommunicator merge(boolean isHigh) throws InterruptedException {
    return collectively(
        () -> {
          Agreed agreed = agree(isHigh ? 1 : 0);
          boolean isFirst = agreed.own() == agreed.others() ? decides() : agreed.own() == 0;
          Group both = isFirst ? group.union(remote) : remote.union(group);
          return inherit(Intracommunicator.begin(world, agreed.id(), both, null));
        });
  }

  /** Whether what this group says counts where both could decide. */
  private boolean decides() {
    return group.processOf(0) < remote.processOf(0);
  }

  /**
   * What both groups know after their first members have talked.
   *
   * @param id of the new communicator
   * @param own what the first member of this group has said
   * @param others what that of the other one has
   */
  private record Agreed(int id, long own, long others) {}

  private Agreed agree(long say) throws InterruptedException {
    long[] all = new long[3]; // id, own, other's
    if (rank() == 0) {
      int id = world.ids().take();
      long[] mine = {id, say};
      long[] theirs = new long[2];
      SendRequest send = device.isend(between, 0, TAG, Data.of(mine));
      Status unused = device.recv(between, 0, TAG, Data.of(theirs));
      device.await(send);
      if (!decides()) {
        world.ids().putBack(id);
      }
      all = new long[] {decides() ? id : theirs[0], say, theirs[1]};
    }
    local.agreement().broadcast(0, all);
    return new Agreed((int) all[0], all[1], all[2]);
  }

  @Override
  void freePrivate() throws InterruptedException {
    local.free();
  }

  // ---------------------------------------------------------------- as values

  @Override
  public Similarity compare(Communicator other) {
    if (this == other) {
      return Similarity.IDENTICAL;
    }
    if (!(other instanceof Intercommunicator inter)) {
      return Similarity.UNEQUAL;
    }
    Similarity own = group.compare(inter.group());
    Similarity far = remote.compare(inter.remote);
    boolean areIdentical = own == Similarity.IDENTICAL && far == Similarity.IDENTICAL;
    boolean areOthers = own == Similarity.UNEQUAL || far == Similarity.UNEQUAL;
    return areIdentical
        ? Similarity.CONGRUENT
        : areOthers ? Similarity.UNEQUAL : Similarity.SIMILAR;
  }

  @Override
  public String toString() {
    return "intercommunicator %d of %s and %s".formatted(id, group, remote);
  }
}
