// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.nio.ByteBuffer;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** A ring in every mode, with every type, at sizes from nothing to what goes by pieces. */
final class Modes extends Program {

  private static final int[] COUNTS = {0, 17, 150_000};
  private static final int TAG = 5;

  Modes() throws MPIException {}

  /** A send that is begun, or done; null if there is nothing to wait for. */
  private interface Send {
    Request send(Object from, int count, Datatype type, int to) throws MPIException;
  }

  @Override
  void run() throws Exception {
    MPI.Buffer_attach(ByteBuffer.allocateDirect(4 << 20));
    ring(
        "Send",
        (from, count, type, to) -> blocking(() -> all().Send(from, 1, count, type, to, TAG)));
    ring(
        "Ssend",
        (from, count, type, to) -> blocking(() -> all().Ssend(from, 1, count, type, to, TAG)));
    ring(
        "Bsend",
        (from, count, type, to) -> blocking(() -> all().Bsend(from, 1, count, type, to, TAG)));
    ring(
        "Rsend",
        (from, count, type, to) -> blocking(() -> all().Rsend(from, 1, count, type, to, TAG)));
    ring("Isend", (from, count, type, to) -> all().Isend(from, 1, count, type, to, TAG));
    ring("Issend", (from, count, type, to) -> all().Issend(from, 1, count, type, to, TAG));
    ring("Ibsend", (from, count, type, to) -> all().Ibsend(from, 1, count, type, to, TAG));
    ring("Irsend", (from, count, type, to) -> all().Irsend(from, 1, count, type, to, TAG));
    persistent("Send_init", 3, all()::Send_init);
    persistent("Ssend_init", 3, all()::Ssend_init);
    persistent("Rsend_init", 3, all()::Rsend_init);
    persistent("Bsend_init", 1, all()::Bsend_init); // MPJ Express never returns from a second Start
    both();
    MPI.Buffer_detach();
  }

  private static mpi.Intracomm all() {
    return MPI.COMM_WORLD;
  }

  /** A call. */
  private interface Call {
    void call() throws MPIException;
  }

  private static Request blocking(Call call) throws MPIException {
    call.call();
    return null;
  }

  private void ring(String mode, Send send) throws MPIException {
    for (Elements type : Elements.all()) {
      for (int count : COUNTS) {
        Object into = type.room(count + 2);
        Request receive = all().Irecv(into, 1, count, type.datatype(), before(), TAG);
        all().Barrier(); // a ready send may begin now
        Request sent =
            send.send(type.filled(count + 2, rank + count), count, type.datatype(), next());
        say(mode + " " + type.name() + " " + told(receive.Wait(), type.datatype()), into);
        if (sent != null) {
          sent.Wait();
        }
      }
    }
  }

  private static String told(Status status, Datatype type) throws MPIException {
    return "%d elements from %d with %d"
        .formatted(status.Get_count(type), status.source, status.tag);
  }

  /** Makes a persistent send. */
  private interface Init {
    Prequest init(Object from, int offset, int count, Datatype type, int to, int tag)
        throws MPIException;
  }

  private void persistent(String mode, int rounds, Init init) throws MPIException {
    double[] from = new double[100];
    double[] into = new double[100];
    Prequest receive = all().Recv_init(into, 0, 100, MPI.DOUBLE, before(), TAG);
    Prequest send = init.init(from, 0, 100, MPI.DOUBLE, next(), TAG);
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 100; i++) {
        from[i] = rank + round * i;
      }
      receive.Start();
      all().Barrier();
      send.Start();
      say(mode + " " + told(receive.Wait(), MPI.DOUBLE), into);
      send.Wait();
    }
  }

  private void both() throws MPIException {
    int[] from = {rank, rank * rank, -rank};
    int[] into = new int[3];
    Status status =
        all().Sendrecv(from, 0, 3, MPI.INT, next(), 1, into, 0, 3, MPI.INT, before(), 1);
    say("Sendrecv " + told(status, MPI.INT), into);
    status = all().Sendrecv_replace(from, 0, 3, MPI.INT, before(), 2, next(), 2);
    say("Sendrecv_replace " + told(status, MPI.INT), from);
  }
}
