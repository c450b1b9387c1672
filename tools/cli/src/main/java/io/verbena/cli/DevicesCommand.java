// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Wishes;
import io.verbena.transport.rdma.Wishes.AddressFamily;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena devices}. */
@Command(
    name = "devices",
    description = {
      "Lists verbs devices (InfiniBand, RoCE, softnic), which port would be chosen, and why.",
      "Fails if no port meets the wishes."
    },
    mixinStandardHelpOptions = true)
final class DevicesCommand implements Callable<Integer> {

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "The device, or its provider: softnic or libibverbs.")
  private @Nullable String device;

  @Option(names = "--port", paramLabel = "N", description = "The port of the device, from 1.")
  private @Nullable Integer port;

  @Option(
      names = "--gid-index",
      paramLabel = "N",
      description = "The address in this row of the port's table.")
  private @Nullable Integer gidIndex;

  @Option(
      names = "--family",
      paramLabel = "any|ipv4|ipv6",
      defaultValue = "any",
      description = "The address's family.")
  private AddressFamily family = AddressFamily.ANY;

  @Option(
      names = "--pkey",
      paramLabel = "N",
      converter = NumberConverter.class,
      description = "The partition, such as 0x8001.")
  private @Nullable Integer pkey;

  @Option(names = "--service-level", paramLabel = "N", description = "0 to 15.")
  private @Nullable Integer serviceLevel;

  @Option(
      names = "--traffic-class",
      paramLabel = "N",
      description = "0 to 255: over RoCE v2 the DSCP times 4, plus ECN.")
  private @Nullable Integer trafficClass;

  @Option(names = "--mtu", paramLabel = "BYTES", description = "256 to 4096, a power of two.")
  private @Nullable Integer mtuBytes;

  @Option(names = "--json", description = "Prints JSON instead.")
  private boolean asJson;

  @Override
  public Integer call() {
    Devices found = Devices.survey(wishes());
    PrintWriter out = spec.commandLine().getOut();
    out.print(asJson ? DevicesJson.format(found) : DevicesText.format(found));
    out.flush();
    return found.chosen().isPresent() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private Wishes wishes() {
    try {
      return Wishes.builder()
          .device(device == null ? "" : device)
          .port(orAny("port", port))
          .gidIndex(orAny("GID index", gidIndex))
          .family(family)
          .pkey(orAny("P_Key", pkey))
          .serviceLevel(orAny("service level", serviceLevel))
          .trafficClass(orAny("traffic class", trafficClass))
          .mtuBytes(orAny("MTU", mtuBytes))
          .build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static int orAny(String what, @Nullable Integer value) {
    if (value == null) {
      return Wishes.ANY;
    }
    if (value == Wishes.ANY) { // to be left out, not written down
      throw new IllegalArgumentException(what + " " + value + ": expected no negative number");
    }
    return value;
  }

  /** Partition keys are mostly written in hexadecimal. */
  static final class NumberConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Integer.decode(text);
      } catch (NumberFormatException e) {
        throw new CommandLine.TypeConversionException(
            "'" + text + "': expected a number such as 0x8001");
      }
    }
  }
}
