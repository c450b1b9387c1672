// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Line;
import java.util.Map;

/**
 * One node's place in a cluster; node ids are 1 to {@link #nodes}. Each listens at any port, and is
 * told where the others do when all have started ({@link PeerAddresses}).
 *
 * @param id the node's id
 * @param nodes how many there are
 * @param cluster a name no other run has
 * @param transport a transport's name, or {@code auto}
 * @param settings more configuration keys
 */
public record Membership(
    int id, int nodes, String cluster, String transport, Map<String, String> settings) {

  private static final String SETTING = "set.";

  /** What a rank of a job has of it: where to listen so that all ranks get there, and a key. */
  private static final String JOB_HOST_ADDRESS = "VERBENA_JOB_HOST_ADDRESS";

  private static final String JOB_KEY_FILE = "VERBENA_CLUSTER_KEY_FILE";

  /** A name for a cluster that no other run has. */
  public static String uniqueClusterName() {
    return "bench-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
  }

  /** Reads what {@link #addTo} wrote. */
  public static Membership parse(Line line) {
    return new Membership(
        (int) line.number("id"),
        (int) line.number("nodes"),
        line.text("cluster"),
        line.text("transport"),
        line.texts(SETTING));
  }

  /** Adds it to a line. */
  public Line addTo(Line line) {
    return line.with("id", id)
        .with("nodes", nodes)
        .with("cluster", cluster)
        .with("transport", transport)
        .with(SETTING, settings);
  }

  /** The configuration of the node. */
  public NodeConfig config(MessageTypes types) {
    String jobHost = System.getenv(JOB_HOST_ADDRESS);
    NodeConfig.Builder builder =
        NodeConfig.builder()
            .id(id)
            .cluster(cluster)
            .transport(transport)
            .listen(anyPortOf(jobHost == null ? "127.0.0.1" : jobHost))
            .set("connect.timeout", "1m") // many nodes share few cores
            .types(types);
    String keyFile = System.getenv(JOB_KEY_FILE);
    if (jobHost != null && keyFile != null && !settings.containsKey("cluster.key")) {
      builder.set("cluster.key.file", keyFile);
    }
    settings.forEach(builder::set);
    return builder.build();
  }

  private static String anyPortOf(String host) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":0";
  }
}
