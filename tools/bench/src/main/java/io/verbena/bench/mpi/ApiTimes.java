// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;

/**
 * A rank that is measured by package {@code mpi}, ours or MPJ Express': nothing is used that one of
 * them lacks.
 */
public final class ApiTimes implements Ranks<Content> {

  private final Intracomm all = MPI.COMM_WORLD;
  private final int self = all.Rank();
  private final int count = all.Size();

  private ApiTimes() throws Exception {}

  /** Arguments are those of MPI. */
  public static void main(String[] arguments) {
    try {
      String[] unused = MPI.Init(arguments);
      Rounds.run(new ApiTimes());
      MPI.Finalize();
      System.exit(0); // MPJ Express has threads that would go on
    } catch (Throwable e) {
      System.err.println(e);
      Runtime.getRuntime().halt(1);
    }
  }

  @Override
  public int self() {
    return self;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public boolean hasMessage(int tag) throws Exception {
    return all.Iprobe(0, tag) != null;
  }

  @Override
  public Content memory(Content content) {
    return content;
  }

  @Override
  public void send(Content from, int to, int tag) throws Exception {
    all.Send(from.array(), 0, from.count(), type(from), to, tag);
  }

  @Override
  public void receive(Content into, int from, int tag) throws Exception {
    all.Recv(into.array(), 0, into.count(), type(into), from, tag);
  }

  private static Datatype type(Content content) {
    return content.isDoubles() ? MPI.DOUBLE : MPI.BYTE;
  }

  @Override
  public Call call(Operation operation, Content give, Content get) {
    double[] from = give.doubles();
    double[] into = get.doubles();
    int most = Math.max(from.length, into.length);
    int block = Math.min(from.length, into.length);
    int part = most / count; // where all have a block for all
    int[] parts = new int[count];
    Arrays.fill(parts, block);
    Datatype type = MPI.DOUBLE;
    return switch (operation) {
      case BARRIER -> root -> all.Barrier();
      case BCAST -> root -> all.Bcast(from, 0, from.length, type, root);
      case GATHER -> root -> all.Gather(from, 0, block, type, into, 0, block, type, root);
      case SCATTER -> root -> all.Scatter(from, 0, block, type, into, 0, block, type, root);
      case ALLGATHER -> root -> all.Allgather(from, 0, block, type, into, 0, block, type);
      case ALLTOALL -> root -> all.Alltoall(from, 0, part, type, into, 0, part, type);
      case REDUCE -> root -> all.Reduce(from, 0, into, 0, block, type, MPI.SUM, root);
      case ALLREDUCE -> root -> all.Allreduce(from, 0, into, 0, block, type, MPI.SUM);
      case REDUCE_SCATTER -> root -> all.Reduce_scatter(from, 0, into, 0, parts, type, MPI.SUM);
      case SCAN -> root -> all.Scan(from, 0, into, 0, block, type, MPI.SUM);
      case PING_PONG -> throw new IllegalArgumentException("no call of all: " + operation);
    };
  }
}
