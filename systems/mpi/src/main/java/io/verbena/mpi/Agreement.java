// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.collective.Collectives;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What members of a communicator tell each other while they make another one: few numbers.
 *
 * @param self this member's rank
 */
record Agreement(Collectives collectives, int self) {

  /** All members give as many numbers; all get those of each, by rank. */
  long[][] allgather(long... mine) throws InterruptedException {
    int size = collectives.size();
    long[] all = new long[size * mine.length];
    collectives.allgather(Data.of(mine), Blocks.equal(MemorySegment.ofArray(all), size));
    long[][] rows = new long[size][];
    Arrays.setAll(rows, rank -> row(all, rank, mine.length));
    return rows;
  }

  private static long[] row(long[] all, int rank, int length) {
    return Arrays.copyOfRange(all, rank * length, (rank + 1) * length);
  }

  /** The numbers of one member; {@code values} is where those of the others get them. */
  void broadcast(int root, long[] values) throws InterruptedException {
    collectives.bcast(Data.of(values), root);
  }

  /** The same where the others do not know how many there are. */
  long[] broadcastAny(int root, long... values) throws InterruptedException {
    long[] length = {values.length};
    broadcast(root, length);
    long[] all = self == root ? values : new long[(int) length[0]];
    broadcast(root, all);
    return all;
  }
}
