// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

/** What becomes of a program when a call of a communicator fails (MPI 4.1, section 9.3). */
public enum ErrorMode {

  /** The rank says what has failed on standard error and ends, and the job with it. The default. */
  ERRORS_ARE_FATAL,

  /** The call throws, and the program goes on. */
  ERRORS_RETURN
}
