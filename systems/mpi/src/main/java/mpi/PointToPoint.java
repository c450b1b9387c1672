// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.Communicator;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Note;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.SendRequest;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a communicator (MPI 4.1, chapter 3): arguments are checked first, also where
 * nobody is the partner, then a message is begun.
 *
 * @param comm whose they are
 * @param others how many ranks it can send to
 */
record PointToPoint(Comm comm, int others) {

  // ---------------------------------------------------------------- sends

  /** Sends a message and waits until its buffer is free, or its receive is there. */
  void send(
      @Nullable Object buf,
      int offset,
      int count,
      Datatype type,
      int dest,
      int tag,
      boolean isSynchronous) {
    await(begin(buf, offset, count, type, dest, tag, isSynchronous));
  }

  Pending isend(
      @Nullable Object buf,
      int offset,
      int count,
      Datatype type,
      int dest,
      int tag,
      boolean isSynchronous) {
    SendRequest send = begin(buf, offset, count, type, dest, tag, isSynchronous);
    return send == null
        ? Pending.done(comm.communicator(), new Status())
        : Pending.of(comm.communicator(), send);
  }

  /** Null if it goes to nobody. */
  private @Nullable SendRequest begin(
      @Nullable Object buf,
      int offset,
      int count,
      Datatype type,
      int dest,
      int tag,
      boolean isSynchronous) {
    Communicator to = checkSend(type, dest, tag);
    Layout from;
    Note note = null;
    if (type.isOfObjects()) {
      ObjectMessage message = ObjectMessage.of(buf, offset, count, type);
      from = message.layout();
      note = message.note();
    } else {
      from = type.layout(buf, offset, count, false);
    }
    return begin(to, from, dest, tag, isSynchronous, note);
  }

  private static @Nullable SendRequest begin(
      Communicator to, Layout from, int dest, int tag, boolean isSynchronous, @Nullable Note note) {
    if (dest == MPI.PROC_NULL) {
      return null;
    }
    try {
      return to.isend(from, dest, tag, isSynchronous, note);
    } catch (RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  /** Sends a copy, which is over for the program then. */
  Pending bsend(@Nullable Object buf, int offset, int count, Datatype type, int dest, int tag) {
    Communicator to = checkSend(type, dest, tag);
    ObjectMessage objects = type.isOfObjects() ? ObjectMessage.of(buf, offset, count, type) : null;
    Layout from = objects == null ? type.layout(buf, offset, count, false) : objects.layout();
    if (dest != MPI.PROC_NULL) {
      try {
        to.bsend(from, dest, tag, objects == null ? null : objects.note());
      } catch (RuntimeException e) {
        throw MPIException.of(e);
      }
    }
    return Pending.done(to, new Status());
  }

  private void await(@Nullable SendRequest send) {
    if (send != null && !send.isDone()) {
      try {
        comm.communicator().await(send);
      } catch (InterruptedException | RuntimeException e) {
        throw MPIException.of(e);
      }
    } else if (send != null && send.failure() != null) {
      boolean unused = Comm.call(() -> comm.communicator().test(send));
    }
  }

  // ---------------------------------------------------------------- receives

  Status recv(@Nullable Object buf, int offset, int count, Datatype type, int source, int tag) {
    Communicator from = checkReceive(type, source, tag);
    ObjectSink objects = null;
    Layout into;
    if (type.isOfObjects()) {
      objects = new ObjectSink(buf, offset, count, type);
      into = objects;
    } else {
      into = type.layout(buf, offset, count, true);
    }
    if (source == MPI.PROC_NULL) {
      return Status.ofNobody();
    }
    try {
      io.verbena.mpi.device.Status got = from.recv(into, source(source), tag(tag));
      return Pending.received(got, type, objects);
    } catch (InterruptedException | RuntimeException e) {
      throw MPIException.of(e);
    }
  }

  Pending irecv(@Nullable Object buf, int offset, int count, Datatype type, int source, int tag) {
    Communicator from = checkReceive(type, source, tag);
    ObjectSink objects = type.isOfObjects() ? new ObjectSink(buf, offset, count, type) : null;
    Layout into = objects == null ? type.layout(buf, offset, count, true) : objects;
    if (source == MPI.PROC_NULL) {
      return Pending.done(from, Status.ofNobody());
    }
    ReceiveRequest receive = Comm.call(() -> from.irecv(into, source(source), tag(tag)));
    return Pending.of(from, receive, type, objects);
  }

  // ---------------------------------------------------------------- both

  /** Sends and receives; what is received is checked before anything is sent. */
  Status sendrecv(Side sent, int dest, int sendTag, Side received, int source, int receiveTag) {
    Communicator unused = checkReceive(received.type(), source, receiveTag);
    checkBuffer(received);
    SendRequest send =
        begin(sent.buffer(), sent.offset(), sent.count(), sent.type(), dest, sendTag, false);
    return receive(received, source, receiveTag, send);
  }

  /** The same with one buffer, of which a copy is sent. */
  Status replace(Side both, int dest, int sendTag, int source, int receiveTag) {
    if (both.type().isOfObjects()) {
      // What is sent are other bytes than those of the objects that are replaced.
      return sendrecv(both, dest, sendTag, both, source, receiveTag);
    }
    Communicator to = checkSend(both.type(), dest, sendTag);
    Communicator unused = checkReceive(both.type(), source, receiveTag);
    SendRequest send = begin(to, copy(both.layout()), dest, sendTag, false, null);
    return receive(both, source, receiveTag, send);
  }

  private Status receive(Side into, int source, int tag, @Nullable SendRequest send) {
    Status status;
    try {
      status = recv(into.buffer(), into.offset(), into.count(), into.type(), source, tag);
    } catch (MPIException e) {
      if (!(e.getCause() instanceof InterruptedException)) { // then both go on
        awaitEnd(send, e); // else its buffer would be the program's too early
      }
      throw e;
    }
    await(send);
    return status;
  }

  private void awaitEnd(@Nullable SendRequest send, MPIException told) {
    try {
      await(send);
    } catch (MPIException e) {
      told.addSuppressed(e);
    }
  }

  private static Layout copy(Layout of) {
    MPIException.check(
        of.bytes() <= Integer.MAX_VALUE - 16,
        "a message of %d bytes is to be copied; 2 GiB is most",
        of.bytes());
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) of.bytes()]);
    of.gather(0, bytes.byteSize(), bytes, 0);
    return Layout.of(bytes);
  }

  // ---------------------------------------------------------------- probes

  /** What a receive would get; null if nothing is there. */
  @Nullable Status iprobe(int source, int tag) {
    Communicator from = checkSource(source, tag);
    return source == MPI.PROC_NULL
        ? Status.ofNobody()
        : Comm.call(() -> from.iprobe(source(source), tag(tag))).map(Status::of).orElse(null);
  }

  Status probe(int source, int tag) {
    Communicator from = checkSource(source, tag);
    return source == MPI.PROC_NULL
        ? Status.ofNobody()
        : Status.of(Comm.call(() -> from.probe(source(source), tag(tag))));
  }

  // ---------------------------------------------------------------- persistent requests

  /** A send with these arguments, which are checked here and at each start. */
  Prequest sendInit(Side from, int dest, int tag, Supplier<Pending> start) {
    Communicator unused = checkSend(from.type(), dest, tag);
    checkBuffer(from);
    return new Prequest(start);
  }

  /** A receive with these. */
  Prequest recvInit(Side into, int source, int tag, Supplier<Pending> start) {
    Communicator unused = checkReceive(into.type(), source, tag);
    checkBuffer(into);
    return new Prequest(start);
  }

  // ---------------------------------------------------------------- checks

  private static void checkBuffer(Side of) {
    if (of.type().isOfObjects()) {
      ObjectCollectives.Part unused = of.part();
    } else {
      Layout unused = of.layout();
    }
  }

  private Communicator checkSend(Datatype type, int dest, int tag) {
    Communicator to = comm.communicator();
    Datatype.usable(type);
    if (dest != MPI.PROC_NULL) {
      checkRank("destination", dest);
    }
    checkTag(tag);
    return to;
  }

  private Communicator checkReceive(Datatype type, int source, int tag) {
    Datatype.usable(type);
    return checkSource(source, tag);
  }

  private Communicator checkSource(int source, int tag) {
    Communicator from = comm.communicator();
    if (source != MPI.PROC_NULL && source != MPI.ANY_SOURCE) {
      checkRank("source", source);
    }
    if (tag != MPI.ANY_TAG) {
      checkTag(tag);
    }
    return from;
  }

  void checkRank(String what, int rank) {
    if (rank < 0 || rank >= others) {
      throw new MPIException("%s is rank %d; there are 0 to %d".formatted(what, rank, others - 1));
    }
  }

  static void checkTag(int tag) {
    if (tag < 0) {
      throw new MPIException("tag is %d; choose 0 to 2147483647".formatted(tag));
    }
  }

  private static int source(int given) {
    return given == MPI.ANY_SOURCE ? Device.ANY_SOURCE : given;
  }

  private static int tag(int given) {
    return given == MPI.ANY_TAG ? Device.ANY_TAG : given;
  }
}
