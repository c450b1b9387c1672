// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

/** One partner after the other, so that a member has one message on its way in and one out. */
final class Pairwise {

  private Pairwise() {}

  /** This member's block for itself is in its place. */
  static void alltoall(Call call, Blocks from, Blocks into) throws InterruptedException {
    for (int step = 1; step < call.size(); step++) {
      int to = call.ahead(step);
      int source = call.behind(step);
      call.exchange(to, from.at(to), source, into.at(source));
    }
  }
}
