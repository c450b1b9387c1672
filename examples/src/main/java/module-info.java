// SPDX-License-Identifier: Apache-2.0

/** Short programs a newcomer reads. */
module io.verbena.examples {
  requires io.verbena;
  requires io.verbena.fabric;
  requires io.verbena.launch;
  requires io.verbena.mpi;
  requires static org.jspecify;

  // Verbena makes and reads the records that are messages.
  exports io.verbena.examples;
}
