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
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one node is to do.
 *
 * @param membership its place in the cluster
 * @param topology who sends to whom
 * @param threads how many sending threads
 * @param handlers where handlers run
 * @param sizeBytes of message bodies
 * @param path as objects or in place
 * @param lane shared or exclusive
 * @param ratePerSecond of requests that each sending node sends; 0 for one at a time
 */
public record NodeTask(
    Membership membership,
    Topology topology,
    int threads,
    Execution handlers,
    int sizeBytes,
    MessagePath path,
    LaneKind lane,
    double ratePerSecond) {

  private static final int SAMPLED_BYTES = 16 * 1024;

  /** What a node of a plan is to do. */
  public static NodeTask of(BenchPlan plan, int id, int sizeBytes, String cluster) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (!plan.waiting().idleSpin().isEmpty()) {
      settings.put("idle.spin", plan.waiting().idleSpin());
    }
    settings.putAll(plan.system().settings());
    return new NodeTask(
        new Membership(id, plan.nodes(), cluster, plan.system().transport(), settings),
        plan.topology(),
        plan.threads(),
        plan.handlers(),
        sizeBytes,
        plan.path(),
        plan.lane(),
        plan.ratePerSecond());
  }

  /** Reads what {@link #toLine} wrote. */
  public static NodeTask parse(Line line) {
    Topology topology =
        new Topology(
            Workload.valueOf(line.text("workload")),
            Direction.valueOf(line.text("direction")),
            (int) line.number("nodes"));
    return new NodeTask(
        Membership.parse(line),
        topology,
        (int) line.number("threads"),
        HandlerPlace.parse(line.text("handlers")),
        (int) line.number("size"),
        MessagePath.valueOf(line.text("path")),
        LaneKind.valueOf(line.text("lane")),
        Double.parseDouble(line.text("rate")));
  }

  /** The task as an argument of a process. */
  public Line toLine() {
    return membership
        .addTo(new Line("node"))
        .with("workload", topology.workload())
        .with("direction", topology.direction())
        .with("threads", threads)
        .with("handlers", HandlerPlace.format(handlers))
        .with("size", sizeBytes)
        .with("path", path)
        .with("lane", lane)
        .with("rate", ratePerSecond);
  }

  /** The node's id. */
  public int id() {
    return membership.id();
  }

  /** The configuration of the node. */
  NodeConfig config() {
    return membership.config(BenchTypes.table());
  }

  StampFormat stampFormat() {
    return StampFormat.ofMessages(sizeBytes);
  }

  /** Reading the clock costs as much as a small message, and little beside a large one. */
  int samplingStride() {
    return Math.clamp(SAMPLED_BYTES / sizeBytes, 1, 256);
  }
}
