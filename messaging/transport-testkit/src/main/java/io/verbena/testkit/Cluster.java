// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.Node;
import io.verbena.NodeConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/** The nodes of one test, all in this JVM, on a transport under test. */
public final class Cluster implements AutoCloseable {

  /** Nodes know each other by these ids, whether open or not. */
  private static final int PEERS = 9;

  private final TransportUnderTest transport;
  private final Map<Integer, Node> nodes = new ConcurrentSkipListMap<>();
  private final Map<Integer, Events> events = new ConcurrentSkipListMap<>();

  /** Starts without any node. */
  public Cluster(TransportUnderTest transport) {
    this.transport = transport;
  }

  /** The transport the nodes use. */
  public TransportUnderTest transport() {
    return transport;
  }

  /** Opens a node with the suite's defaults. */
  public Node open(int id) {
    return open(id, builder -> {});
  }

  /** Opens a node whose configuration is adjusted last. */
  public Node open(int id, Consumer<NodeConfig.Builder> adjust) {
    return build(id, adjust).start();
  }

  /** Makes a node with the suite's defaults, to be started once it has its handlers. */
  public Node build(int id) {
    return build(id, builder -> {});
  }

  /** Makes a node whose configuration is adjusted last, to be started once it has its handlers. */
  public Node build(int id, Consumer<NodeConfig.Builder> adjust) {
    NodeConfig.Builder builder = NodeConfig.builder().id(id).types(TestMessages.types());
    for (String timeout : List.of("connect.timeout", "link.timeout", "request.timeout")) {
      builder.set(timeout, Await.LONG.toSeconds() + "s"); // bounds against hanging, not measures
    }
    transport.configure(builder, id);
    for (int peer = 1; peer <= PEERS; peer++) {
      if (peer != id) {
        builder.peer(peer, transport.address(id, peer));
      }
    }
    adjust.accept(builder);
    Node node = Node.build(builder.build());
    Events heard = new Events();
    node.addListener(heard);
    events.put(id, heard);
    nodes.put(id, node);
    return node;
  }

  /** A node that was opened last with this id. */
  public Node node(int id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("node " + id + " was not opened");
    }
    return node;
  }

  /** What the node that was opened last with this id has reported. */
  public Events events(int id) {
    Events heard = events.get(id);
    if (heard == null) {
      throw new IllegalArgumentException("node " + id + " was not opened");
    }
    return heard;
  }

  /** Ends a node's life without flushing anything. */
  public void drop(int id) {
    node(id).close(Duration.ZERO);
  }

  /** Breaks the links between two nodes. */
  public void cut(int a, int b) {
    transport.cutLinks(a, b);
  }

  /** Everything there is to say about the nodes, for a failure's output. */
  public String diagnostics() {
    StringBuilder text = new StringBuilder("transport " + transport.name() + '\n');
    nodes.forEach(
        (id, node) ->
            text.append("node ")
                .append(id)
                .append('\n')
                .append("  connections ")
                .append(node.connections())
                .append('\n')
                .append("  metrics ")
                .append(node.metrics().snapshot())
                .append('\n')
                .append("  events ")
                .append(events(id))
                .append('\n'));
    return text.append(Threads.dump()).toString();
  }

  /** Closes the nodes, without caring for what is unsent. */
  @Override
  public void close() {
    nodes.values().forEach(node -> node.close(Duration.ZERO));
    transport.close();
  }
}
