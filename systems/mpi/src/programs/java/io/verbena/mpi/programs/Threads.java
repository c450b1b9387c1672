// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/** Several threads of each rank send and receive at the same time. */
final class Threads extends Program {

  private static final int THREADS = 4;
  private static final int ROUNDS = 50;

  Threads() throws MPIException {}

  @Override
  void run() throws Exception {
    Intracomm[] own = new Intracomm[THREADS];
    for (int i = 0; i < THREADS; i++) {
      own[i] = (Intracomm) MPI.COMM_WORLD.clone();
    }
    together("by tag", i -> () -> exchange(MPI.COMM_WORLD, i));
    together("by communicator", i -> () -> exchange(own[i], 1));
    together("any of several", i -> () -> waitAny(10 * i));
  }

  /** What a thread does. */
  private interface Part {
    Callable<Long> of(int thread);
  }

  private void together(String what, Part part) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Long> each :
          threads.invokeAll(IntStream.range(0, THREADS).mapToObj(part::of).toList())) {
        say(what + " " + each.get());
      }
    }
  }

  private long exchange(Intracomm comm, int tag) throws MPIException {
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int count = round % 10 == 9 ? 20_000 : round + 1;
      long[] from = new long[count];
      from[count - 1] = rank + round;
      long[] into = new long[count];
      Request send = comm.Isend(from, 0, count, MPI.LONG, next(), tag);
      comm.Recv(into, 0, count, MPI.LONG, before(), tag);
      send.Wait();
      sum += into[count - 1];
    }
    return sum;
  }

  private long waitAny(int tag) throws MPIException {
    int[][] into = new int[ROUNDS][1];
    Request[] requests = new Request[2 * ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      requests[i] = MPI.COMM_WORLD.Irecv(into[i], 0, 1, MPI.INT, before(), 1000 + tag);
      requests[ROUNDS + i] =
          MPI.COMM_WORLD.Isend(new int[] {rank + i}, 0, 1, MPI.INT, next(), 1000 + tag);
    }
    for (int i = 0; i < requests.length; i++) {
      Request.Waitany(requests);
    }
    return IntStream.range(0, ROUNDS).mapToLong(i -> (long) i * into[i][0]).sum();
  }
}
