// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Line;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One node's place in a cluster of this host; node ids are 1 to {@link #nodes}.
 *
 * @param id the node's id
 * @param cluster a name no other run has
 * @param ports where node 1, 2, … listens
 * @param transport a transport's name, or {@code auto}
 * @param settings more configuration keys
 */
public record Membership(
    int id, String cluster, List<Integer> ports, String transport, Map<String, String> settings) {

  private static final String SETTING = "set.";

  /** A name for a cluster that no other run has. */
  public static String uniqueClusterName() {
    return "bench-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
  }

  /** Reads what {@link #addTo} wrote. */
  public static Membership parse(Line line) {
    return new Membership(
        (int) line.number("id"),
        line.text("cluster"),
        Arrays.stream(line.numbers("ports")).mapToObj(port -> (int) port).toList(),
        line.text("transport"),
        line.texts(SETTING));
  }

  /** Adds it to a line. */
  public Line addTo(Line line) {
    return line.with("id", id)
        .with("cluster", cluster)
        .with("ports", ports.stream().mapToLong(Integer::longValue).toArray())
        .with("transport", transport)
        .with(SETTING, settings);
  }

  /** How many nodes there are. */
  public int nodes() {
    return ports.size();
  }

  /** The configuration of the node. */
  public NodeConfig config(MessageTypes types) {
    NodeConfig.Builder builder =
        NodeConfig.builder()
            .id(id)
            .cluster(cluster)
            .transport(transport)
            .listen(addressOf(id))
            .set("connect.timeout", "1m") // many nodes share few cores
            .types(types);
    for (int node = 1; node <= nodes(); node++) {
      if (node != id) {
        builder.peer(node, addressOf(node));
      }
    }
    settings.forEach(builder::set);
    return builder.build();
  }

  private String addressOf(int node) {
    return "127.0.0.1:" + ports.get(node - 1);
  }
}
