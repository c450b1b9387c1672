// SPDX-License-Identifier: Apache-2.0

/** One-sided memory and channels of a node. */
module io.verbena.nodefabric {
  requires transitive io.verbena;
  requires transitive io.verbena.fabric;
  requires static org.jspecify;

  exports io.verbena.nodefabric;
}
