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

  private static Set<String> known() {
    Set<String> names = new TreeSet<>(Set.of("auto", "loopback"));
    ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
    return names;
  }
}
