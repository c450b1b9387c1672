// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.cli.demo.DemoMessages.SocketPlace;
import io.verbena.cli.demo.DemoMessages.SocketQuery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The demo: counts words in several processes, which shows that all is right, and measures two of
 * them, which shows how fast it is.
 */
public final class Demo {

  /** Of either wire, in turn: what else the machine does meets both. */
  private static final int ROUNDS = 5;

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
    List<Speed> ours = new ArrayList<>();
    List<Speed> theirs = new ArrayList<>();
    SocketPlace place =
        node.request(1, new SocketQuery(), SocketPlace.class, WordCountDemo.PATIENCE);
    try (Wire near = new NodeWire(node, 1, WordCountDemo.PATIENCE);
        Wire socket = new SocketWire(place)) {
      for (int round = 0; round <= ROUNDS; round++) {
        ours.add(Speed.of(near, each.dividedBy(ROUNDS)));
        theirs.add(Speed.of(socket, each.dividedBy(ROUNDS)));
      }
    }
    ours.removeFirst(); // the compilers were at work
    theirs.removeFirst();
    return new DemoReport(counted, connections, metrics, Speed.median(ours), Speed.median(theirs));
  }
}
