// SPDX-License-Identifier: Apache-2.0

/** Typed messaging between processes: nodes, messages, requests and the transport SPI. */
@SuppressWarnings("module") // the transports are compiled after this module
module io.verbena {
  requires static org.jspecify;
  requires jdk.jfr;

  exports io.verbena;
  exports io.verbena.transport;

  // What the transports of this project share beyond the SPI.
  exports io.verbena.transport.handshake to
      io.verbena.transport.rdma,
      io.verbena.transport.shm,
      io.verbena.transport.tcp;
  exports io.verbena.transport.replica to
      io.verbena.transport.rdma,
      io.verbena.transport.tcp;

  uses io.verbena.transport.TransportProvider;
}
