// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.transport.TransportProvider;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The transports that can be named on the command line: those that are there. */
final class TransportName {

  private TransportName() {}

  /**
   * Checks a name.
   *
   * @throws ParameterException naming the transports there are
   */
  static void check(CommandLine command, String name) {
    if (!known().contains(name)) {
      throw new ParameterException(
          command, "transport '" + name + "': expected one of " + String.join(", ", known()));
    }
  }

  /**
   * Checks that a device goes with a transport.
   *
   * @throws IllegalArgumentException if the transport has no devices
   */
  static void checkDevice(String transport, String device) {
    if (!transport.equals("rdma")) {
      throw new IllegalArgumentException(
          "--device "
              + device
              + " is for transport rdma, and this is "
              + transport
              + ": add --transport rdma");
    }
  }

  private static Set<String> known() {
    Set<String> names = new TreeSet<>(Set.of("auto", "loopback"));
    ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
    return names;
  }
}
