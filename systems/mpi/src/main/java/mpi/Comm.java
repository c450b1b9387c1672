// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Communicator;
import io.verbena.mpi.ErrorMode;
import io.verbena.mpi.Intercommunicator;
import org.jspecify.annotations.Nullable;

/**
 * Processes that send each other messages (MPI 4.1, chapters 3 and 7). In all calls a buffer is
 * followed by the place in it where the message begins, in elements of the base type, and how many
 * of the datatype it has; see {@link mpi}. Ranks are those of this group, or of the other one in an
 * {@link Intercomm}; tags are 0 to 2147483647.
 */
public class Comm {

  /** The group of this process. */
  public final Group group;

  private volatile @Nullable Communicator communicator; // null of none, and once it is freed
  final PointToPoint messages;

  Comm(@Nullable Communicator communicator) {
    this.communicator = communicator;
    this.group =
        new Group(communicator == null ? io.verbena.mpi.Group.EMPTY : communicator.group());
    int others =
        communicator instanceof Intercommunicator inter ? inter.remoteSize() : group.members.size();
    this.messages = new PointToPoint(this, others);
  }

  /** What this is a face of. */
  Communicator communicator() {
    Communicator its = communicator;
    if (its == null || !MPI.isOpen()) {
      throw MPI.isOpen()
          ? new MPIException("the communicator is null: this process is no member, or it was freed")
          : MPI.notOpen();
    }
    return its;
  }

  // ---------------------------------------------------------------- who

  /** How many members this process' group has. */
  public int Size() {
    return communicator().size();
  }

  /** This process' rank in its group. */
  public int Rank() {
    return communicator().rank();
  }

  /** The group of this process. */
  public Group Group() {
    return new Group(communicator().group());
  }

  /** Whether there is no communicator: this process is no member, or it was freed. */
  public boolean Is_null() {
    return communicator == null;
  }

  /** Whether it has two groups. */
  public boolean Test_inter() {
    return communicator() instanceof Intercommunicator;
  }

  /** {@code MPI.UNDEFINED}, if it has no topology. */
  public int Topo_test() {
    Communicator unused = communicator();
    return MPI.UNDEFINED;
  }

  /**
   * {@code MPI.IDENT} of the same, {@code MPI.CONGRUENT} of the same groups, {@code MPI.SIMILAR} if
   * their order is another, else {@code MPI.UNEQUAL}.
   */
  public static int Compare(Comm comm1, Comm comm2) {
    MPIException.check(comm1 != null && comm2 != null, "a communicator is null");
    return MPI.code(comm1.communicator().compare(comm2.communicator()));
  }

  // ---------------------------------------------------------------- life

  /** What may wait and fail. */
  interface Call<T> {
    T run() throws InterruptedException;
  }

  static <T> T call(Call<T> call) {
    try {
      return call.run();
    } catch (InterruptedException | RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  /** Leaves it, as all members do. It is null then. */
  public void Free() {
    Communicator its = communicator();
    call(
        () -> {
          its.free();
          communicator = null;
          return this;
        });
  }

  /**
   * Another communicator of the same processes. Collective.
   *
   * @return of the same class
   */
  @Override
  @SuppressWarnings("MissingSuperCall") // a handle of another communicator is made
  public Object clone() {
    throw new MPIException("the communicator is null");
  }

  /**
   * A communicator of two groups that have no common member, whose leaders talk in this one.
   * Collective in both groups.
   *
   * @param localComm of this process' group
   * @param localLeader the rank of its leader there
   * @param remoteLeader the rank here of the other group's leader; only the leader's own counts
   * @param tag of the leaders' messages
   */
  public Intercomm Create_intercomm(Comm localComm, int localLeader, int remoteLeader, int tag) {
    return Intercomm.of(localComm, localLeader, this, remoteLeader, tag);
  }

  /** Ends this process, and with it the job. Does not return. */
  public void Abort(int errorcode) {
    MPI.world().abort(errorcode);
  }

  // ---------------------------------------------------------------- errors

  /**
   * Chooses what becomes of the program when a call of this communicator fails under way. Wrong
   * arguments are exceptions in any case. Communicators that are made from this one have the same.
   */
  public void Errorhandler_set(Errhandler errhandler) {
    MPIException.check(errhandler != null, "error handler is null");
    communicator().setErrors(errhandler.mode);
  }

  /** As {@link #Errorhandler_set}, by the name that mpiJava has. */
  public void Errhandler_set(Errhandler errhandler) {
    Errorhandler_set(errhandler);
  }

  /** What becomes of the program when a call of this communicator fails. */
  public Errhandler Errorhandler_get() {
    return communicator().errors() == ErrorMode.ERRORS_ARE_FATAL
        ? MPI.ERRORS_ARE_FATAL
        : MPI.ERRORS_RETURN;
  }

  // ---------------------------------------------------------------- attributes

  /**
   * What is kept here under this key: {@code MPI.TAG_UB} and the like, or a program's own.
   *
   * @throws MPIException if nothing is
   */
  public Object Attr_get(int keyval) {
    return Keyvals.get(communicator(), keyval)
        .orElseThrow(() -> new MPIException("no attribute has the key " + keyval));
  }

  /**
   * Keeps something here, for the program itself. A {@link #clone} has none of it.
   *
   * @param keyval the program's own, from 0 on
   */
  public void Attr_put(int keyval, Object value) {
    Keyvals.put(communicator(), keyval, value);
  }

  /** Keeps nothing under this key any more. */
  public void Attr_delete(int keyval) {
    Keyvals.delete(communicator(), keyval);
  }

  // ---------------------------------------------------------------- sends

  /** Sends a message; the buffer may be used again when it returns. */
  public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    messages.send(buf, offset, count, datatype, dest, tag, false);
  }

  /** As {@link #Send}, and waits for the receive. */
  public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    messages.send(buf, offset, count, datatype, dest, tag, true);
  }

  /** As {@link #Send}: the receive may, but need not, be there. */
  public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    messages.send(buf, offset, count, datatype, dest, tag, false);
  }

  /**
   * Sends a copy of a message and never waits.
   *
   * @throws MPIException if the copy finds no room in what is attached: see {@link
   *     MPI#Buffer_attach(byte[])}
   */
  public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    Pending unused = messages.bsend(buf, offset, count, datatype, dest, tag);
  }

  /** Begins to send a message. */
  public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Request(messages.isend(buf, offset, count, datatype, dest, tag, false));
  }

  /** As {@link #Isend}; it is done once the receive is there. */
  public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Request(messages.isend(buf, offset, count, datatype, dest, tag, true));
  }

  /** As {@link #Isend}: the receive may, but need not, be there. */
  public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Request(messages.isend(buf, offset, count, datatype, dest, tag, false));
  }

  /** As {@link #Bsend}; it is done already. */
  public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Request(messages.bsend(buf, offset, count, datatype, dest, tag));
  }

  // ---------------------------------------------------------------- receives

  /**
   * Receives a message of at most {@code count} of the datatype.
   *
   * @throws MPIException if it is longer; what fits is in the buffer then
   */
  public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    return messages.recv(buf, offset, count, datatype, source, tag);
  }

  /** Begins to receive a message. */
  public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    return new Request(messages.irecv(buf, offset, count, datatype, source, tag));
  }

  /** Sends a message and receives one, in whatever order the others do so. */
  public Status Sendrecv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag) {
    return messages.sendrecv(
        Side.from(sendbuf, sendoffset, sendcount, sendtype),
        dest,
        sendtag,
        Side.into(recvbuf, recvoffset, recvcount, recvtype),
        source,
        recvtag);
  }

  /** As {@link #Sendrecv}; what is received takes the place of what was sent. */
  public Status Sendrecv_replace(
      Object buf,
      int offset,
      int count,
      Datatype datatype,
      int dest,
      int sendtag,
      int source,
      int recvtag) {
    return messages.replace(
        Side.into(buf, offset, count, datatype), dest, sendtag, source, recvtag);
  }

  /** What a receive would get; null if nothing is there. The message stays. */
  public @Nullable Status Iprobe(int source, int tag) {
    return messages.iprobe(source, tag);
  }

  /** As {@link #Iprobe}; waits until something is there. */
  public Status Probe(int source, int tag) {
    return messages.probe(source, tag);
  }

  // ---------------------------------------------------------------- persistent requests

  /** {@link #Send} for every start. */
  public Prequest Send_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    Datatype kept = Datatype.kept(datatype);
    return messages.sendInit(
        Side.from(buf, offset, count, kept),
        dest,
        tag,
        () -> messages.isend(buf, offset, count, kept, dest, tag, false));
  }

  /** {@link #Ssend} for every start. */
  public Prequest Ssend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    Datatype kept = Datatype.kept(datatype);
    return messages.sendInit(
        Side.from(buf, offset, count, kept),
        dest,
        tag,
        () -> messages.isend(buf, offset, count, kept, dest, tag, true));
  }

  /** {@link #Rsend} for every start. */
  public Prequest Rsend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    Datatype kept = Datatype.kept(datatype);
    return messages.sendInit(
        Side.from(buf, offset, count, kept),
        dest,
        tag,
        () -> messages.isend(buf, offset, count, kept, dest, tag, false));
  }

  /** {@link #Bsend} for every start. */
  public Prequest Bsend_init(
      Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    Datatype kept = Datatype.kept(datatype);
    return messages.sendInit(
        Side.from(buf, offset, count, kept),
        dest,
        tag,
        () -> messages.bsend(buf, offset, count, kept, dest, tag));
  }

  /** {@link #Recv} for every start. */
  public Prequest Recv_init(
      Object buf, int offset, int count, Datatype datatype, int source, int tag) {
    Datatype kept = Datatype.kept(datatype);
    return messages.recvInit(
        Side.into(buf, offset, count, kept),
        source,
        tag,
        () -> messages.irecv(buf, offset, count, kept, source, tag));
  }

  // ---------------------------------------------------------------- pack and unpack

  /**
   * How many bytes {@link #Pack} needs at most; not of objects, which have any length.
   *
   * @throws MPIException if there are more than 2147483647
   */
  public int Pack_size(int incount, Datatype datatype) {
    Communicator unused = communicator();
    Datatype.usable(datatype);
    MPIException.check(incount >= 0, "count is %d, less than 0", incount);
    MPIException.check(
        !datatype.isOfObjects(), "objects have no size before they are serialized: pack them");
    long bytes = datatype.bytes() * incount;
    MPIException.check(
        bytes == (int) bytes, "%d bytes cannot be packed; 2147483647 is most", bytes);
    return (int) bytes;
  }

  /**
   * Copies a message to {@code outbuf}, to be sent as {@code MPI.PACKED}.
   *
   * @return the position behind it
   */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position) {
    Communicator unused = communicator();
    Datatype.usable(datatype);
    MPIException.check(outbuf != null, "output buffer is null");
    return Packing.pack(inbuf, offset, incount, datatype, outbuf, position);
  }

  /**
   * Copies from {@code inbuf} what {@link #Pack} has put there.
   *
   * @return the position behind it
   */
  public int Unpack(
      byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype) {
    Communicator unused = communicator();
    Datatype.usable(datatype);
    MPIException.check(inbuf != null, "input buffer is null");
    return Packing.unpack(inbuf, position, outbuf, offset, outcount, datatype);
  }
}
