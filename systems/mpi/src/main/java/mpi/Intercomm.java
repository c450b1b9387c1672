// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Communicator;
import io.verbena.mpi.Intercommunicator;
import io.verbena.mpi.Intracommunicator;

/** A communicator of two groups: who sends or receives talks with the other one. */
public class Intercomm extends Comm {

  Intercomm(Intercommunicator communicator) {
    super(communicator);
  }

  /** That of a communicator's group and another one, whose leaders talk in {@code peer}. */
  static Intercomm of(Comm localComm, int localLeader, Comm peer, int remoteLeader, int tag) {
    MPIException.check(localComm != null, "local communicator is null");
    MPIException.check(
        localComm.communicator() instanceof Intracommunicator, "local communicator has two groups");
    Intracommunicator local = (Intracommunicator) localComm.communicator();
    MPIException.check(
        localLeader >= 0 && localLeader < local.size(),
        "local leader is rank %d; there are 0 to %d",
        localLeader,
        local.size() - 1);
    boolean isLeader = local.rank() == localLeader;
    if (isLeader) {
      peer.messages.checkRank("remote leader", remoteLeader);
      PointToPoint.checkTag(tag);
    }
    Communicator leaders = isLeader ? peer.communicator() : local;
    return call(
        () -> new Intercomm(local.intercommunicator(localLeader, leaders, remoteLeader, tag)));
  }

  private Intercommunicator inter() {
    return (Intercommunicator) communicator();
  }

  /** How many members the other group has. */
  public int Remote_size() {
    return inter().remoteSize();
  }

  /** The other group. */
  public Group Remote_group() {
    return new Group(inter().remoteGroup());
  }

  /**
   * A communicator of the members of both groups. Collective in both.
   *
   * @param high whether this group is the second one; if both say the same, that of the process
   *     with the lowest rank in the job is the first
   */
  public Intracomm Merge(boolean high) {
    return call(() -> new Intracomm(inter().merge(high)));
  }

  @Override
  public Object clone() {
    return call(() -> new Intercomm(inter().dup()));
  }
}
