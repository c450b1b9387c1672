// SPDX-License-Identifier: Apache-2.0

/** The transport that works everywhere: TCP. */
module io.verbena.transport.tcp {
  requires io.verbena;
  requires static org.jspecify;

  provides io.verbena.transport.TransportProvider with
      io.verbena.transport.tcp.TcpProvider;
}
