// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.cli.demo.DemoMessages.SocketPlace;
import io.verbena.cli.demo.DemoMessages.SocketQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The demo: counts words in several processes, which shows that all is right, and measures two of
 * them, which shows how fast it is.
 */
public final class Demo {

  private Demo() {}

  /**
   * Runs it over a transport.
   *
   * @param device the verbs device, if the transport is rdma
   * @param each how long each figure is measured
   */
  public static DemoReport run(List<String> texts, String transport, String device, Duration each)
      throws IOException, InterruptedException {
    try (DemoCluster cluster = DemoCluster.start(transport, device)) {
      return run(texts, cluster.node(), cluster::closeOthers, each);
    }
  }

  /**
   * Runs it with the coordinator's node, whose workers are there.
   *
   * @param alone has the others do nothing while the coordinator and worker 1 are measured
   */
  static DemoReport run(List<String> texts, Node node, Runnable alone, Duration each)
      throws IOException, InterruptedException {
    WordCountDemo.Outcome counted = WordCountDemo.run(texts, node);
    List<ConnectionInfo> connections = List.copyOf(node.connections());
    Map<String, Long> metrics = node.metrics().snapshot();
    alone.run();
    Speed ours = Speed.of(new NodeWire(node, 1, WordCountDemo.PATIENCE), each);
    return new DemoReport(counted, connections, metrics, ours, speedOfSocket(node, each));
  }

  private static Speed speedOfSocket(Node node, Duration each)
      throws IOException, InterruptedException {
    SocketPlace place =
        node.request(1, new SocketQuery(), SocketPlace.class, WordCountDemo.PATIENCE);
    try (SocketWire wire = new SocketWire(place)) {
      return Speed.of(wire, each);
    }
  }
}
