// SPDX-License-Identifier: Apache-2.0

/** The transport that works everywhere: TCP. */
module io.verbena.transport.tcp {
  requires io.verbena;
  requires static org.jspecify;
}
