// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.NodeConfig;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that all commands share which start node processes and report figures. */
final class NodeOptions {

  private static final String RDMA_DEVICE = "rdma.device";

  /** What a node chooses its device by. */
  private static final Set<String> RDMA_CHOICE =
      Set.of(
          RDMA_DEVICE,
          "rdma.port",
          "rdma.gid.index",
          "rdma.pkey",
          "rdma.service.level",
          "rdma.traffic.class",
          "rdma.mtu",
          "listen");

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "auto, shm, rdma, tcp or loopback (all nodes in one process); of a matrix also all.")
  private String transport = "auto";

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description =
          "The verbs device of transport rdma: softnic, or a name that 'verbena devices' shows.")
  private @Nullable String device;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      showDefaultValue = Help.Visibility.NEVER,
      description = "Sets a configuration key of the nodes, such as lane.bytes=4M.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      showDefaultValue = Help.Visibility.NEVER,
      description = "An option of the node processes, such as --jvm=-Xmx1g.")
  private List<String> jvmOptions = List.of();

  String transport() {
    return transport;
  }

  @Nullable Path json() {
    return json.file();
  }

  List<String> jvmOptions() {
    return jvmOptions;
  }

  /**
   * Checks what can be checked before minutes of measuring.
   *
   * @throws ParameterException if the transport is not there, or the file's folder
   */
  void check(CommandLine command) {
    TransportName.check(command, transport);
    checkFile(command);
  }

  /**
   * Checks where the results are to be written.
   *
   * @throws ParameterException if the file's folder is not there
   */
  void checkFile(CommandLine command) {
    json.check(command);
  }

  /**
   * The configuration keys of the nodes.
   *
   * @throws IllegalArgumentException if the device does not go with the transport, or a key or
   *     value is not acceptable
   */
  Map<String, String> settings() {
    Map<String, String> all = new LinkedHashMap<>(settings);
    if (device != null) {
      TransportName.checkDevice(transport, device);
      all.put(RDMA_DEVICE, device);
    } else if (transport.equals("rdma") && Collections.disjoint(all.keySet(), RDMA_CHOICE)) {
      // Named, so that results tell a device in software from one that is not.
      Systems.chosenDevice().ifPresent(name -> all.put(RDMA_DEVICE, name));
    }
    NodeConfig.Builder checked = NodeConfig.builder();
    all.forEach((key, value) -> checkOne(checked, key, value));
    return all;
  }

  private static void checkOne(NodeConfig.Builder checked, String key, String value) {
    try {
      checked.set(key, value);
    } catch (ConfigException e) {
      // "The program" is where the core heard it, and not where the user said it.
      String reason = String.valueOf(e.getMessage()).replace(" from the program", "");
      throw new IllegalArgumentException("--set " + key + ": " + reason, e);
    }
  }
}
