// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.ErrorMode;

/**
 * What becomes of a program when a call of a communicator fails: {@link MPI} has both there are.
 */
public final class Errhandler {

  final ErrorMode mode;

  Errhandler(ErrorMode mode) {
    this.mode = mode;
  }
}
