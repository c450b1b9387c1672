// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.JsonFields;
import io.verbena.transport.rdma.Device;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Gid;
import io.verbena.transport.rdma.Port;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Devices for programs to read. */
final class DevicesJson {

  private DevicesJson() {}

  static String format(Devices found) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    ArrayNode ports = root.putArray("ports");
    found.ports().forEach(port -> put(ports.addObject(), port));
    put(root.putArray("reasons"), found.reasons());
    put(root.putArray("troubles"), found.troubles());
    return JsonFields.text(root);
  }

  private static void put(ArrayNode array, List<String> lines) {
    lines.forEach(array::add);
  }

  private static void put(ObjectNode node, Port port) {
    node.put("device", port.device().name());
    node.put("provider", port.device().provider());
    node.put("node_guid", DevicesText.guid(port.device()));
    node.put("port", port.number());
    node.put("state", JsonFields.word(port.state()));
    node.put("link_layer", JsonFields.word(port.linkLayer()));
    node.put("lid", port.lid());
    node.put("mtu_bytes", port.mtuBytes());
    node.put("gigabits_per_second", port.gigabitsPerSecond());
    node.put("usable", port.isUsable());
    node.put("hindrance", port.hindrance());
    node.put("chosen", port.isChosen());
    ArrayNode gids = node.putArray("gids");
    port.gids().forEach(gid -> put(gids.addObject(), gid));
    put(node.putObject("limits"), port.device().limits());
  }

  private static void put(ObjectNode node, Gid gid) {
    node.put("index", gid.index());
    node.put("type", gid.type());
    node.put("address", gid.address());
    node.put("chosen", gid.isChosen());
  }

  private static void put(ObjectNode node, Device.Limits limits) {
    node.put("queue_pairs", limits.queuePairs());
    node.put("work_requests", limits.workRequests());
    node.put("pieces", limits.pieces());
    node.put("completions", limits.completions());
    node.put("shared_receives", limits.sharedReceives());
    node.put("region_bytes", limits.regionBytes());
  }
}
