// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.NodeConfig;
import io.verbena.bench.control.Line;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import io.verbena.testkit.TestMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the nodes of a test are, in all its processes.
 *
 * @param transport the transport's name
 * @param ports the port of node 1, 2, …
 * @param directory for shared memory
 */
record Topology(String transport, List<Integer> ports, String directory) {

  static Topology of(String transport, int nodes, String directory) {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < nodes) {
      int port = Ports.free();
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    return new Topology(transport, ports, directory);
  }

  /** That of a {@link #task}. */
  static Topology parse(Line task) {
    List<Integer> ports = Arrays.stream(task.numbers("ports")).mapToObj(Math::toIntExact).toList();
    return new Topology(task.text("transport"), ports, task.text("directory"));
  }

  /** What a {@link NodeProcess} is started with. */
  Line task(String role, int id) {
    return new Line(role)
        .with("id", id)
        .with("transport", transport)
        .with("ports", ports.stream().mapToLong(Integer::longValue).toArray())
        .with("directory", directory);
  }

  NodeConfig.Builder config(int id) {
    NodeConfig.Builder builder =
        NodeConfig.builder()
            .id(id)
            .cluster("system-test")
            .transport(transport)
            .types(TestMessages.types())
            .set("connect.timeout", "8s") // that of requests has to be longer
            .set("request.timeout", Await.LONG.toSeconds() + "s")
            .set("shm.directory", directory);
    if (transport.equals("rdma")) {
      builder.set("rdma.device", "softnic");
    }
    if (!transport.equals("shm")) {
      builder.listen("127.0.0.1:" + ports.get(id - 1));
    }
    for (int peer = 1; peer <= ports.size(); peer++) {
      if (peer != id) {
        builder.peer(peer, transport.equals("shm") ? "" : "127.0.0.1:" + ports.get(peer - 1));
      }
    }
    return builder;
  }
}
