// SPDX-License-Identifier: Apache-2.0

/** Typed messaging between processes: nodes, messages, requests and the transport SPI. */
module io.verbena {
  requires static org.jspecify;
  requires jdk.jfr;

  exports io.verbena;
  exports io.verbena.transport;
  exports io.verbena.transport.handshake;
  exports io.verbena.transport.replica;

  uses io.verbena.transport.TransportProvider;
}
