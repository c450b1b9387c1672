// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.transport.TransportProvider;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * What carries the messages, and how its nodes are set up.
 *
 * @param transport a transport's name, or {@code auto}
 * @param settings configuration keys of the nodes
 * @param jvmOptions of the node processes
 * @param hosts a file of hosts on which the node processes run, in turn; null for this one
 */
public record SystemUnderTest(
    String transport, Map<String, String> settings, List<String> jvmOptions, @Nullable Path hosts) {

  /** The transport within one process; so is every other whose name starts with it. */
  public static final String LOOPBACK = "loopback";

  private static final String DEVICE = "rdma.device";

  /** Keeps copies. */
  public SystemUnderTest {
    settings = Map.copyOf(settings);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** On this host. */
  public SystemUnderTest(String transport, Map<String, String> settings, List<String> jvmOptions) {
    this(transport, settings, jvmOptions, null);
  }

  /** The same on the hosts of a file. */
  public SystemUnderTest onHosts(Path file) {
    return new SystemUnderTest(transport, settings, jvmOptions, file);
  }

  /** A transport whose nodes have the defaults. */
  public static SystemUnderTest of(String transport) {
    return of(transport, Map.of());
  }

  /** A transport, and configuration keys of the nodes. */
  public static SystemUnderTest of(String transport, Map<String, String> settings) {
    return new SystemUnderTest(transport, settings, List.of());
  }

  /** The same on a verbs device. */
  public SystemUnderTest onDevice(String name) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put(DEVICE, name);
    return new SystemUnderTest(transport, all, jvmOptions, hosts);
  }

  /** The verbs device that was asked for; null for any, and where there is none. */
  public @Nullable String device() {
    return settings.get(DEVICE);
  }

  /** The same behind the name of a transport: with a space before it, or nothing. */
  public String deviceText() {
    return device() == null ? "" : " " + device();
  }

  /** Its name in texts. */
  public String name() {
    return transport + deviceText();
  }

  /** What this machine lacks for its transport, and what to do; empty if it has everything. */
  public String unusableBecause() {
    return ServiceLoader.load(TransportProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(transport))
        .map(TransportProvider::unusableBecause)
        .findFirst()
        .orElse("transport '" + transport + "' is not installed");
  }

  /** Whether the nodes share one process. */
  public boolean isInOneProcess() {
    return transport.startsWith(LOOPBACK);
  }
}
