// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import mpi.MPI;
import mpi.MPIException;

/** What all programs have: this rank's place among all, and a voice. */
abstract class Program {

  final int rank;
  final int size;

  Program() throws MPIException {
    rank = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
  }

  abstract void run() throws Exception;

  int next() {
    return (rank + 1) % size;
  }

  int before() {
    return (rank + size - 1) % size;
  }

  void say(String what) {
    System.out.println(rank + ": " + getClass().getSimpleName() + " " + what);
  }

  void say(String what, Object array) {
    say(what + " " + Elements.digest(array));
  }
}
