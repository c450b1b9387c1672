// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes for programs to read. */
final class TopJson {

  private TopJson() {}

  /** One line for each look, so that a program reads what follows line by line. */
  static String format(List<NodeReport> reports) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    ArrayNode nodes = root.putArray("nodes");
    reports.forEach(report -> put(nodes.addObject(), report));
    return root + "\n";
  }

  private static void put(ObjectNode node, NodeReport report) {
    node.put("pid", report.pid());
    node.put("node", report.nodeId());
    node.put("cluster", report.cluster());
    node.put("transport", report.transport());
    node.put("started_ms", report.startedMs());
    node.put("written_ms", report.writtenMs());
    ObjectNode counts = node.putObject("counts");
    report
        .counts()
        .forEach(
            (name, count) -> {
              ObjectNode entry = counts.putObject(name);
              entry.put("total", count.total());
              entry.put("per_second", count.perSecond());
            });
    NodeReport.Replies replies = report.replies();
    if (replies != null) {
      ObjectNode times = node.putObject("replies");
      times.put("sampled", replies.sampled());
      times.put("p50_ns", replies.p50Ns());
      times.put("p99_ns", replies.p99Ns());
      times.put("max_ns", replies.maxNs());
    }
    ArrayNode links = node.putArray("connections");
    report.connections().forEach(link -> put(links.addObject(), link));
  }

  private static void put(ObjectNode node, NodeReport.Link link) {
    node.put("peer", link.peer());
    node.put("state", link.state());
    node.put("transport", link.transport());
    node.put("lanes", link.lanes());
    node.put("sent_bytes", link.sentBytes());
    node.put("unconsumed_bytes", link.unconsumedBytes());
    node.put("sent_bytes_per_second", link.sentBytesPerSecond());
    node.put("memory_bytes", link.memoryBytes());
    node.put("reason", link.reason());
  }
}
