// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.mpi.Data;
import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.World;

/** A token goes round all ranks by MPI: {@code ./verbena run -n 4 -- java … Token.java}. */
public final class Token {

  private static final int TAG = 0;

  private Token() {}

  /** Runs one rank; alone it passes the token to itself. */
  public static void main(String[] arguments) throws InterruptedException {
    try (World world = World.open()) {
      Intracommunicator all = world.communicator();
      int next = (all.rank() + 1) % all.size();
      int before = (all.rank() + all.size() - 1) % all.size();
      int[] token = {0};
      if (all.rank() == 0) {
        all.sendrecv(Data.of(1), next, TAG, Data.of(token), before, TAG);
        System.out.println("the token was with " + token[0] + " ranks");
      } else {
        all.recv(Data.of(token), before, TAG);
        all.send(Data.of(token[0] + 1), next, TAG);
      }
    }
  }
}
