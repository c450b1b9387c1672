// SPDX-License-Identifier: Apache-2.0

/** Verbs devices, of the kernel and in user space, as the native library finds them. */
module io.verbena.transport.rdma {
  requires static org.jspecify;

  exports io.verbena.transport.rdma;
}
