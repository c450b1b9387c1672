// SPDX-License-Identifier: Apache-2.0

/**
 * Verbena with every transport. A program on the module path requires {@code io.verbena} and finds
 * the transports beside it; an image made by {@code jlink} has them if the program requires this
 * module.
 */
module io.verbena.all {
  requires transitive io.verbena;
  requires io.verbena.transport.rdma;
  requires io.verbena.transport.shm;
  requires io.verbena.transport.tcp;
}
