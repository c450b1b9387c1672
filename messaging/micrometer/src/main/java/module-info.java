// SPDX-License-Identifier: Apache-2.0

/** The counters of a node as Micrometer meters. */
@SuppressWarnings("requires-transitive-automatic")
module io.verbena.micrometer {
  requires transitive io.verbena;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports io.verbena.micrometer;
}
