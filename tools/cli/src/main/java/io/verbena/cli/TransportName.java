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

  private static final String WITHIN_A_PROCESS = "loopback";

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
   * Checks a name for a command whose nodes are processes.
   *
   * @throws ParameterException naming the transports that connect processes
   */
  static void checkBetweenProcesses(CommandLine command, String name) {
    Set<String> possible = known();
    possible.remove(WITHIN_A_PROCESS);
    if (!possible.contains(name)) {
      String problem =
          name.equals(WITHIN_A_PROCESS)
              ? "transport loopback is within one process, and these are several: "
              : "transport '" + name + "': ";
      throw new ParameterException(
          command, problem + "expected one of " + String.join(", ", possible));
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
    Set<String> names = new TreeSet<>(Set.of("auto", WITHIN_A_PROCESS));
    ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
    return names;
  }
}
