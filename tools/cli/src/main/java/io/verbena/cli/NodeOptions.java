// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.NodeConfig;
import io.verbena.bench.plan.SystemUnderTest;
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

  /** What a node chooses its device by. */
  private static final Set<String> RDMA_CHOICE =
      Set.of(
          "rdma.device",
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

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = {
        "Node processes run on the hosts of a file, in turn, instead of here: one name a line, as 'verbena run' has it.",
        "One node receives, or one asks. The program lies at the same place on all of them."
      })
  private @Nullable Path hosts;

  String transport() {
    return transport;
  }

  @Nullable Path json() {
    return json.file();
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
   * @throws ParameterException if the file's folder is not there, or the hosts cannot be read
   */
  void checkFile(CommandLine command) {
    json.check(command);
    HostsFile.check(command, hosts);
  }

  /**
   * What these options choose.
   *
   * @throws IllegalArgumentException if the device does not go with the transport, or a key or
   *     value is not acceptable
   */
  SystemUnderTest system() {
    SystemUnderTest chosen = onDevice(new SystemUnderTest(transport, settings, jvmOptions));
    NodeConfig.Builder checked = NodeConfig.builder();
    chosen.settings().forEach((key, value) -> checkOne(checked, key, value));
    return hosts == null ? chosen : chosen.onHosts(hosts);
  }

  private SystemUnderTest onDevice(SystemUnderTest system) {
    if (device != null) {
      TransportName.checkDevice(transport, device);
      return system.onDevice(device);
    }
    if (!transport.equals("rdma") || !Collections.disjoint(settings.keySet(), RDMA_CHOICE)) {
      return system;
    }
    // Named, so that results tell a device in software from one that is not.
    return Systems.chosenDevice().map(system::onDevice).orElse(system);
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
