// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.Node;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.node.NodeConversation;
import io.verbena.bench.node.Usage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Base64;

/**
 * A node that searches, and the conversation in which it is told what to do:
 *
 * <ol>
 *   <li>{@code connect} → {@code connected}: lanes are open
 *   <li>{@code construct} → {@code constructed}: the graph is there
 *   <li>{@code search} → {@code searched}: a tree was made
 *   <li>{@code tree} → {@code tree}: its part of that tree
 * </ol>
 */
final class BfsSession implements NodeConversation.Workload {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final VertexLanes lanes;
  private final GraphNode graph;

  private BfsSession(BfsTask task, Node node) {
    int nodes = task.membership().nodes();
    this.lanes = new VertexLanes(node, nodes, PATIENCE);
    this.graph =
        new GraphNode(
            node.id(),
            new Kronecker(task.scale(), task.edgeFactor(), task.seed()),
            new Partition(task.scale(), nodes),
            lanes);
  }

  /** Opens a node and does what it is told until the conversation ends; failures are reported. */
  static void run(BfsTask task, LineChannel channel) {
    NodeConversation.run(
        () -> task.membership().config(VertexLanes.types()),
        channel,
        node -> new BfsSession(task, node));
  }

  @Override
  public Line answer(Line line) {
    return switch (line.word()) {
      case "connect" -> connect();
      case "construct" -> construct();
      case "search" -> search((int) line.number("root"));
      case "tree" -> tree();
      default -> throw NodeConversation.unknown(line);
    };
  }

  @Override
  public void close() {
    lanes.close();
  }

  private Line connect() {
    lanes.connect();
    return new Line("connected");
  }

  private Line construct() {
    Usage before = Usage.now();
    return report("constructed", graph.construct(), before);
  }

  private Line search(int root) {
    Usage before = Usage.now();
    return report("searched", graph.search(root), before);
  }

  private static Line report(String word, GraphNode.Step step, Usage before) {
    return new Line(word)
        .with("start", step.startNs())
        .with("end", step.endNs())
        .with("messages", step.messages())
        .with("cpu", Usage.now().minus(before).cpuNs());
  }

  private Line tree() {
    int[] parents = graph.parents();
    ByteBuffer bytes = ByteBuffer.allocate(parents.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(parents);
    Base64.Encoder encoder = Base64.getEncoder();
    return new Line("tree")
        .with("parents", encoder.encodeToString(bytes.array()))
        .with("levels", encoder.encodeToString(graph.levels()));
  }
}
