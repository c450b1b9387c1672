// SPDX-License-Identifier: Apache-2.0

/** One-sided memory: a node reads and writes memory of another one without its processor. */
module io.verbena.fabric {
  requires io.verbena.natives;
  requires static org.jspecify;

  exports io.verbena.fabric;
}
