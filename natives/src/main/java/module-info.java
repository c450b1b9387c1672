// SPDX-License-Identifier: Apache-2.0

/** The native library and how Java calls it: for the modules of this project that do. */
@SuppressWarnings("module") // they are compiled after this one
module io.verbena.natives {
  requires static org.jspecify;

  exports io.verbena.natives to
      io.verbena.fabric,
      io.verbena.launch,
      io.verbena.transport.rdma;
}
