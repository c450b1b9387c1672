// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Several requests at a time, probes, wildcards, and which message a receive gets. */
final class Requests extends Program {

  private static final int EACH = 4; // messages from each rank

  Requests() throws MPIException {}

  @Override
  void run() throws Exception {
    waitAll();
    waitAny();
    waitSome();
    testAll();
    testAny();
    testSome();
    startAll();
    probe();
    iprobe();
    anySource();
    order();
    byTag();
  }

  /** Each sends to each, itself too; the receives of rank i have tags from 10 i. */
  private Request[] begin(int[][] into) throws MPIException {
    Request[] requests = new Request[2 * size * EACH];
    for (int i = 0; i < size * EACH; i++) {
      requests[i] = MPI.COMM_WORLD.Irecv(into[i], 0, 1, MPI.INT, i / EACH, i % EACH);
    }
    MPI.COMM_WORLD.Barrier();
    for (int i = 0; i < size * EACH; i++) {
      int[] from = {100 * rank + i};
      requests[size * EACH + i] = MPI.COMM_WORLD.Isend(from, 0, 1, MPI.INT, i / EACH, i % EACH);
    }
    return requests;
  }

  private int[][] room() {
    return new int[size * EACH][1];
  }

  private void waitAll() throws MPIException {
    int[][] into = room();
    Status[] all = Request.Waitall(begin(into));
    for (int i = 0; i < size * EACH; i++) {
      say("Waitall %d from %d with %d".formatted(into[i][0], all[i].source, all[i].tag));
    }
  }

  private void waitAny() throws MPIException {
    int[][] into = room();
    Request[] requests = begin(into);
    int[] seen = new int[requests.length];
    for (int i = 0; i < requests.length; i++) {
      seen[i] = Request.Waitany(requests).index;
    }
    tell("Waitany", seen, into);
  }

  private void waitSome() throws MPIException {
    int[][] into = room();
    Request[] requests = begin(into);
    int[] seen = new int[requests.length];
    int count = 0;
    while (count < seen.length) {
      for (Status each : Request.Waitsome(requests)) {
        seen[count++] = each.index;
      }
    }
    tell("Waitsome", seen, into);
  }

  private void testAll() throws MPIException {
    int[][] into = room();
    Request[] requests = begin(into);
    Status[] all = Request.Testall(requests);
    while (all == null) {
      Thread.onSpinWait();
      all = Request.Testall(requests);
    }
    say("Testall " + all.length, Arrays.stream(into).mapToInt(each -> each[0]).toArray());
  }

  private void testAny() throws MPIException {
    int[][] into = room();
    Request[] requests = begin(into);
    int[] seen = new int[requests.length];
    for (int i = 0; i < seen.length; i++) {
      Status status = Request.Testany(requests);
      while (status == null) {
        Thread.onSpinWait();
        status = Request.Testany(requests);
      }
      seen[i] = status.index;
    }
    tell("Testany", seen, into);
  }

  private void testSome() throws MPIException {
    int[][] into = room();
    Request[] requests = begin(into);
    int[] seen = new int[requests.length];
    int count = 0;
    while (count < seen.length) {
      for (Status each : Request.Testsome(requests)) {
        seen[count++] = each.index;
      }
    }
    tell("Testsome", seen, into);
  }

  private void tell(String call, int[] seen, int[][] into) {
    Arrays.sort(seen);
    say(call, seen);
    say(call + " into", Arrays.stream(into).mapToInt(each -> each[0]).toArray());
  }

  private void startAll() throws MPIException {
    int[] from = new int[size];
    int[] into = new int[size];
    Prequest[] requests = new Prequest[2 * size];
    for (int i = 0; i < size; i++) {
      requests[i] = MPI.COMM_WORLD.Recv_init(into, i, 1, MPI.INT, i, 3);
      requests[size + i] = MPI.COMM_WORLD.Send_init(from, i, 1, MPI.INT, i, 3);
    }
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < size; i++) {
        from[i] = 1000 * round + 10 * rank + i;
      }
      Prequest.Startall(requests);
      Request.Waitall(requests);
      say("Startall", into);
    }
  }

  private void probe() throws MPIException {
    MPI.COMM_WORLD.Isend(new double[rank + 1], 0, rank + 1, MPI.DOUBLE, next(), 40 + rank);
    Status found = MPI.COMM_WORLD.Probe(before(), MPI.ANY_TAG);
    int count = found.Get_count(MPI.DOUBLE);
    say("Probe %d from %d with %d".formatted(count, found.source, found.tag));
    Status got =
        MPI.COMM_WORLD.Recv(new double[count], 0, count, MPI.DOUBLE, found.source, found.tag);
    say("then %d from %d with %d".formatted(got.Get_count(MPI.DOUBLE), got.source, got.tag));
    MPI.COMM_WORLD.Barrier();
  }

  private void iprobe() throws MPIException {
    say("Iprobe finds nothing: " + (MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 77) == null));
    MPI.COMM_WORLD.Barrier();
    MPI.COMM_WORLD.Isend(new short[3], 0, 3, MPI.SHORT, next(), 77);
    Status found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 77);
    while (found == null) {
      found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 77);
    }
    say("Iprobe %d from %d".formatted(found.Get_count(MPI.SHORT), found.source));
    MPI.COMM_WORLD.Recv(new short[3], 0, 3, MPI.SHORT, before(), 77);
    MPI.COMM_WORLD.Barrier();
  }

  /** Rank 0 receives from whoever comes; of each the order is that of its sends. */
  private void anySource() throws MPIException {
    if (rank == 0) {
      int[] counts = new int[size];
      for (int i = 0; i < (size - 1) * EACH; i++) {
        int[] into = new int[2];
        Status got = MPI.COMM_WORLD.Recv(into, 0, 2, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        boolean inOrder = into[0] == got.source && into[1] == counts[got.source]++;
        if (!inOrder || got.tag != 60 + into[1]) {
          say("out of order: " + Arrays.toString(into) + " from " + got.source);
        }
      }
      say("from any source", counts);
    } else {
      for (int i = 0; i < EACH; i++) {
        MPI.COMM_WORLD.Send(new int[] {rank, i}, 0, 2, MPI.INT, 0, 60 + i);
      }
    }
    MPI.COMM_WORLD.Barrier();
  }

  /** Messages with one tag do not overtake each other, large and small. */
  private void order() throws MPIException {
    int[] counts = {1, 60_000, 2, 30_000, 3};
    Request[] sends = new Request[counts.length];
    for (int i = 0; i < counts.length; i++) {
      sends[i] = MPI.COMM_WORLD.Isend(new int[counts[i]], 0, counts[i], MPI.INT, next(), 8);
    }
    int[] got = new int[counts.length];
    for (int i = 0; i < counts.length; i++) {
      Status status = MPI.COMM_WORLD.Recv(new int[60_000], 0, 60_000, MPI.INT, before(), 8);
      got[i] = status.Get_count(MPI.INT);
    }
    Request.Waitall(sends);
    say("in order", got);
  }

  /** Receives choose by tag, last sent first. */
  private void byTag() throws MPIException {
    Request[] sends = new Request[9];
    for (int tag = 0; tag < 9; tag++) {
      sends[tag] = MPI.COMM_WORLD.Isend(new int[] {tag * rank}, 0, 1, MPI.INT, next(), tag);
    }
    int[] got = new int[9];
    for (int tag = 8; tag >= 0; tag--) {
      MPI.COMM_WORLD.Recv(got, tag, 1, MPI.INT, before(), tag);
    }
    Request.Waitall(sends);
    say("by tag", got);
  }
}
