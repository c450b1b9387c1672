// SPDX-License-Identifier: Apache-2.0

/**
 * The transport over InfiniBand and RoCE verbs, and the verbs devices of the kernel and in user
 * space, as the native library finds them.
 */
module io.verbena.transport.rdma {
  requires io.verbena;
  requires io.verbena.natives;
  requires static org.jspecify;

  exports io.verbena.transport.rdma;

  provides io.verbena.transport.TransportProvider with
      io.verbena.transport.rdma.RdmaProvider;
}
