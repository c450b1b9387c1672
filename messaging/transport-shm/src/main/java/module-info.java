// SPDX-License-Identifier: Apache-2.0

/** The transport between processes of one host: rings in shared memory. */
module io.verbena.transport.shm {
  requires io.verbena;
  requires static org.jspecify;

  provides io.verbena.transport.TransportProvider with
      io.verbena.transport.shm.ShmTransportProvider;
}
