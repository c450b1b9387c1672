// SPDX-License-Identifier: Apache-2.0

/** Ranks of a job: who they are, and their nodes, for messages and of the fabric. */
module io.verbena.launch {
  requires transitive io.verbena;
  requires transitive io.verbena.fabric;
  requires io.verbena.natives;
  requires static org.jspecify;

  exports io.verbena.launch;
}
