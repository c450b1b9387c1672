// SPDX-License-Identifier: Apache-2.0

/**
 * One-sided memory: a node reads and writes memory of another one without its processor; and
 * channels, FIFOs of messages that lie in such memory.
 */
module io.verbena.fabric {
  requires io.verbena.natives;
  requires jdk.jfr;
  requires static org.jspecify;

  exports io.verbena.fabric;
}
