// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.PeerAddresses;
import io.verbena.bench.process.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The coordinator's node, which lives in this process, and the worker processes 1, 2, 3. */
final class DemoCluster implements AutoCloseable {

  static final int COORDINATOR = 0;
  static final int WORKERS = 3;

  /** A bound against hanging: on a busy machine a JVM may take a minute to start. */
  private static final Duration START_PATIENCE = Duration.ofMinutes(5);

  private final List<ChildProcess> workers = new ArrayList<>();
  private final Node node;

  private DemoCluster(Node node) {
    this.node = node;
  }

  static DemoCluster start(String transport, String device) throws InterruptedException {
    Line task =
        new Line("worker")
            .with("cluster", "demo-" + ProcessHandle.current().pid())
            .with("transport", transport)
            .with("device", device);
    DemoCluster cluster = new DemoCluster(Node.open(config(task.with("id", COORDINATOR))));
    try {
      cluster.startWorkers(task);
      return cluster;
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  private void startWorkers(Line task) throws InterruptedException {
    for (int id = 1; id <= WORKERS; id++) {
      Line arguments = task.with("id", id);
      workers.add(ChildProcess.start("worker " + id, WorkerMain.class, List.of(), arguments));
    }
    List<Conversation> all = workers.stream().map(ChildProcess::conversation).toList();
    List<Line> ready = new ArrayList<>(Conversation.hearAll(all, "ready", START_PATIENCE));
    ready.add(PeerAddresses.ready(node));
    Line peers = PeerAddresses.peers(ready);
    all.forEach(worker -> worker.tell(peers));
    Conversation.hearAll(all, PeerAddresses.meet(node, peers).word(), START_PATIENCE);
  }

  /** What the nodes have in common. */
  static NodeConfig.Builder config(String transport, String device) {
    return NodeConfig.builder()
        .transport(transport)
        .set("rdma.device", device)
        .set("connect.timeout", "1m") // on a busy machine, too
        .types(DemoMessages.types());
  }

  /** The configuration of a node. */
  static NodeConfig config(Line task) {
    return config(task.text("transport"), task.text("device"))
        .id((int) task.number("id"))
        .cluster(task.text("cluster"))
        .listen("127.0.0.1:0")
        .build();
  }

  Node node() {
    return node;
  }

  /** The coordinator and worker 1 are alone from here on. */
  void closeOthers() {
    List<ChildProcess> others = workers.subList(1, WORKERS);
    others.parallelStream().forEach(ChildProcess::close);
    others.clear();
  }

  @Override
  public void close() {
    workers.parallelStream().forEach(ChildProcess::close);
    node.close();
  }
}
