// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.transport.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Notices that jars were merged into one and only one of their service files was kept: then a
 * transport's classes are there, and nobody finds it.
 */
public final class MergedJars {

  private static final Map<String, String> TRANSPORTS =
      new TreeMap<>(
          Map.of(
              "rdma", "io.verbena.transport.rdma.RdmaProvider",
              "shm", "io.verbena.transport.shm.ShmTransportProvider",
              "tcp", "io.verbena.transport.tcp.TcpProvider"));

  private MergedJars() {}

  /** Why some transports are not found though they are there; empty if there is none. */
  public static String fault(Iterable<TransportProvider> found, ClassLoader loader) {
    List<String> names = new ArrayList<>(TRANSPORTS.keySet());
    found.forEach(provider -> names.remove(provider.name()));
    return fault(names, loader);
  }

  /** The same of the transport that an unknown key may belong to, if none of its keys is known. */
  static String faultOfKey(String unknown, Set<String> known, ClassLoader loader) {
    String name = unknown.split("\\.", 2)[0];
    boolean isFound = known.stream().anyMatch(key -> key.startsWith(name + "."));
    return isFound ? "" : fault(List.of(name), loader);
  }

  private static String fault(List<String> names, ClassLoader loader) {
    List<String> overlooked = names.stream().filter(name -> isThere(name, loader)).toList();
    if (overlooked.isEmpty()) {
      return "";
    }
    return "the classes of transport "
        + String.join(", ", overlooked)
        + " are there, but no META-INF/services/"
        + TransportProvider.class.getName()
        + " names them: where jars are merged into one, these files are to be merged, too"
        + " (docs/configuration.md, \"One jar\")";
  }

  private static boolean isThere(String name, ClassLoader loader) {
    String className = TRANSPORTS.get(name);
    try {
      return className != null && Class.forName(className, false, loader) != null;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
