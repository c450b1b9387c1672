// SPDX-License-Identifier: Apache-2.0

/** MPI: messages between the ranks of a job, and groups of them. */
module io.verbena.mpi {
  requires transitive io.verbena;
  requires transitive io.verbena.launch;
  requires transitive io.verbena.nodefabric;
  requires static org.jspecify;

  exports io.verbena.mpi;
  exports io.verbena.mpi.collective;
  exports io.verbena.mpi.device;
  exports mpi;
}
