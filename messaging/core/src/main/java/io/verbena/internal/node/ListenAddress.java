// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

/**
 * Where a node listens: as it is configured. With port 0 it is the port that the first of its
 * transports was given, for all of them: peers know one address. Set by one thread, read by any.
 */
final class ListenAddress {

  private static final String ANY_PORT = ":0";

  private final String configured;
  private volatile String now;

  ListenAddress(String configured) {
    this.configured = configured;
    this.now = configured;
  }

  /** For a transport that opens: where it is to listen. */
  String now() {
    return now;
  }

  /** A transport listens at this address, or nowhere if it is empty. */
  void bound(String address) {
    if (isOfAnyPort() && !address.isEmpty()) {
      String host = now.substring(0, now.length() - ANY_PORT.length());
      now = host + address.substring(address.lastIndexOf(':'));
    }
  }

  /** Whether transports are still to be given a port. */
  boolean isOfAnyPort() {
    return now.endsWith(ANY_PORT);
  }

  /** Whether the port is one that a transport was given: another one would do. */
  boolean isGiven() {
    return !now.equals(configured);
  }

  /** The port was given back. */
  void forget() {
    now = configured;
  }
}
