// SPDX-License-Identifier: Apache-2.0

/** The counters of a node, and of a store, as Micrometer meters. */
@SuppressWarnings("requires-transitive-automatic")
module io.verbena.micrometer {
  requires transitive io.verbena;
  requires transitive micrometer.core;
  requires static io.verbena.kv.store; // only for programs with a store
  requires static org.jspecify;

  exports io.verbena.micrometer;
}
