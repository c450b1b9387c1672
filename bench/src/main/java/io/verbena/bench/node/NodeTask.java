// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.Execution;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Line;
import io.verbena.bench.message.BenchTypes;
import io.verbena.bench.message.StampFormat;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Direction;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.LaneKind;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.Topology;
import io.verbena.bench.plan.Workload;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one node is to do.
 *
 * @param id its id
 * @param cluster a name no other run has
 * @param ports where node 1, 2, … listens
 * @param transport a transport's name, or {@code auto}
 * @param topology who sends to whom
 * @param threads how many sending threads
 * @param handlers where handlers run
 * @param sizeBytes of message bodies
 * @param path as objects or in place
 * @param lane shared or exclusive
 * @param settings more configuration keys
 */
public record NodeTask(
    int id,
    String cluster,
    List<Integer> ports,
    String transport,
    Topology topology,
    int threads,
    Execution handlers,
    int sizeBytes,
    MessagePath path,
    LaneKind lane,
    Map<String, String> settings) {

  private static final int SAMPLED_BYTES = 16 * 1024;

  /** What a node of a plan is to do. */
  public static NodeTask of(
      BenchPlan plan, int id, int sizeBytes, String cluster, List<Integer> ports) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (!plan.waiting().idleSpin().isEmpty()) {
      settings.put("idle.spin", plan.waiting().idleSpin());
    }
    settings.putAll(plan.settings());
    return new NodeTask(
        id,
        cluster,
        ports,
        plan.transport(),
        plan.topology(),
        plan.threads(),
        plan.handlers(),
        sizeBytes,
        plan.path(),
        plan.lane(),
        settings);
  }

  /** Reads what {@link #toLine} wrote. */
  public static NodeTask parse(Line line) {
    Topology topology =
        new Topology(
            Workload.valueOf(line.text("workload")),
            Direction.valueOf(line.text("direction")),
            (int) line.number("nodes"));
    return new NodeTask(
        (int) line.number("id"),
        line.text("cluster"),
        Arrays.stream(line.numbers("ports")).mapToObj(port -> (int) port).toList(),
        line.text("transport"),
        topology,
        (int) line.number("threads"),
        HandlerPlace.parse(line.text("handlers")),
        (int) line.number("size"),
        MessagePath.valueOf(line.text("path")),
        LaneKind.valueOf(line.text("lane")),
        parseSettings(line.text("settings")));
  }

  /** The task as an argument of a process. */
  public Line toLine() {
    return new Line("node")
        .with("id", id)
        .with("cluster", cluster)
        .with("ports", ports.stream().mapToLong(Integer::longValue).toArray())
        .with("transport", transport)
        .with("workload", topology.workload())
        .with("direction", topology.direction())
        .with("nodes", topology.nodes())
        .with("threads", threads)
        .with("handlers", HandlerPlace.format(handlers))
        .with("size", sizeBytes)
        .with("path", path)
        .with("lane", lane)
        .with("settings", formatSettings());
  }

  /** The configuration of the node. */
  NodeConfig config() {
    NodeConfig.Builder builder =
        NodeConfig.builder()
            .id(id)
            .cluster(cluster)
            .transport(transport)
            .listen(addressOf(id))
            .types(BenchTypes.table());
    topology.all().stream()
        .filter(node -> node != id)
        .forEach(node -> builder.peer(node, addressOf(node)));
    settings.forEach(builder::set);
    return builder.build();
  }

  StampFormat stampFormat() {
    return StampFormat.ofMessages(sizeBytes);
  }

  /** Reading the clock costs as much as a small message, and little beside a large one. */
  int samplingStride() {
    return Math.clamp(SAMPLED_BYTES / sizeBytes, 1, 256);
  }

  private String addressOf(int node) {
    return "127.0.0.1:" + ports.get(node - 1);
  }

  private String formatSettings() {
    return String.join(
        ";", settings.entrySet().stream().map(e -> e.getKey() + ":" + e.getValue()).toList());
  }

  private static Map<String, String> parseSettings(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String setting : text.isEmpty() ? new String[0] : text.split(";")) {
      int colon = setting.indexOf(':');
      settings.put(setting.substring(0, colon), setting.substring(colon + 1));
    }
    return settings;
  }
}
