// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Figures;
import io.verbena.bench.JsonFields;
import io.verbena.transport.rdma.Device;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Gid;
import io.verbena.transport.rdma.Port;
import java.util.List;
import java.util.Locale;

/**
 * Devices for people to read: a paragraph for each port, what is chosen marked with an asterisk.
 */
final class DevicesText {

  private DevicesText() {}

  static String format(Devices found) {
    StringBuilder text = new StringBuilder();
    found.ports().forEach(port -> append(text, port));
    String title = found.chosen().isPresent() ? "Chosen (*), because" : "None is chosen, because";
    append(text, title, found.reasons());
    append(text, "To be known", troublesBeside(found.reasons(), found.troubles()));
    return text.toString();
  }

  /** Why nothing is chosen may tell of a trouble already. */
  private static List<String> troublesBeside(List<String> reasons, List<String> troubles) {
    return troubles.stream()
        .filter(trouble -> reasons.stream().noneMatch(reason -> reason.contains(trouble)))
        .toList();
  }

  private static void append(StringBuilder text, Port port) {
    text.append(mark(port.isChosen())).append(headline(port)).append('\n');
    text.append("    ").append(limits(port.device().limits())).append('\n');
    for (Gid gid : port.gids()) {
      text.append("  ").append(mark(gid.isChosen())).append(line(gid)).append('\n');
    }
    if (!port.isUsable()) {
      text.append("    not usable: ").append(port.hindrance()).append('\n');
    }
  }

  private static String mark(boolean isChosen) {
    return isChosen ? "* " : "  ";
  }

  private static String headline(Port port) {
    return String.format(
        Locale.ROOT,
        "%s port %d (%s): %s, %s, %s, MTU %d, node %s",
        port.device().name(),
        port.number(),
        port.device().provider(),
        JsonFields.word(port.state()),
        layer(port),
        rate(port.gigabitsPerSecond()),
        port.mtuBytes(),
        guid(port.device()));
  }

  private static String layer(Port port) {
    return switch (port.linkLayer()) {
      case INFINIBAND -> "InfiniBand, LID " + port.lid();
      case ETHERNET -> "Ethernet";
      case UNSPECIFIED -> "unknown link layer";
    };
  }

  private static String rate(double gigabitsPerSecond) {
    return gigabitsPerSecond == 0 ? "unknown rate" : Figures.digits(gigabitsPerSecond) + " Gb/s";
  }

  /** As the kernel writes it: {@code 02af:c82c:cacd:1651}. */
  static String guid(Device device) {
    String digits = String.format("%016x", device.nodeGuid());
    return String.join(":", digits.split("(?<=\\G.{4})"));
  }

  private static String limits(Device.Limits limits) {
    return String.format(
        Locale.ROOT,
        "limits: %d queue pairs, %d work requests of %d pieces, %d completions, %d shared receives,"
            + " %s in a region",
        limits.queuePairs(),
        limits.workRequests(),
        limits.pieces(),
        limits.completions(),
        limits.sharedReceives(),
        region(limits.regionBytes()));
  }

  private static String region(long bytes) {
    return bytes == Long.MAX_VALUE ? "any size" : Figures.bytes(bytes);
  }

  private static String line(Gid gid) {
    return String.format(Locale.ROOT, "GID %3d  %-10s  %s", gid.index(), gid.type(), gid.address());
  }

  private static void append(StringBuilder text, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append('\n').append(title).append('\n');
      lines.forEach(line -> text.append("  ").append(line).append('\n'));
    }
  }
}
