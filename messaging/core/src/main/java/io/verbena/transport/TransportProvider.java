// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.io.IOException;
import java.util.List;

/** The service by which a transport is found; see {@link java.util.ServiceLoader}. */
public interface TransportProvider {

  /** The name users choose it by in {@code transport}; lower case. */
  String name();

  /** Where {@code auto} tries this transport: higher goes first, 0 not at all. */
  default int preference() {
    return 0;
  }

  /**
   * Whether it accepts links over a network, at the address that {@code listen} says. Such
   * transports of a node open before the others, the preferred first. With port 0 those that follow
   * find the port there that the first one was given; if it is taken for one of them ({@link
   * java.net.BindException} as the cause) all open again.
   */
  default boolean listens() {
    return false;
  }

  /** The configuration keys this transport understands, each prefixed with its name and a dot. */
  List<ConfigKey> keys();

  /**
   * Whether this transport can work on this machine.
   *
   * @return empty if it can, else a sentence that says what is missing and what to do
   */
  String unusableBecause();

  /**
   * Whether {@code auto} leaves this transport out as a matter of course: nothing has gone wrong,
   * what it is for is just not here. One that is not left out is opened, and what hinders that is
   * worth a warning.
   *
   * @param context of the node, for what it has configured
   * @return empty if it is to be opened, else a sentence that says why it is not
   */
  default String leftOutBecause(TransportContext context) {
    return unusableBecause();
  }

  /**
   * Why what this transport sends may leave the host unencrypted. Where the configuration says
   * {@code encryption=required} such a transport is not used.
   *
   * @param context of the node, for what it has configured
   * @return empty if nothing leaves the host unencrypted, else a sentence that says why and, if
   *     anything can be done, what
   */
  default String unencryptedBecause(TransportContext context) {
    return "transport " + name() + " does not encrypt";
  }

  /**
   * Starts the transport for one node: from here on it accepts links.
   *
   * @throws UnavailableException if what it needs is not there, so that {@code auto} had better do
   *     without it
   * @throws IOException if it cannot for another reason, which ends the node's opening; the texts
   *     of both name address or file and what to do
   */
  Transport open(TransportContext context) throws IOException;
}
