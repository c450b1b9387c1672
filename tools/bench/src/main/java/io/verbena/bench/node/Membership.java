// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Line;
import io.verbena.bench.process.FreePorts;
import io.verbena.launch.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One node's place in a cluster; node ids are 1 to {@link #nodes}.
 *
 * @param id the node's id
 * @param cluster a name no other run has
 * @param addresses where node 1, 2, … listens; none for ranks of a job, which learn them
 * @param transport a transport's name, or {@code auto}
 * @param settings more configuration keys
 */
public record Membership(
    int id,
    String cluster,
    List<String> addresses,
    String transport,
    Map<String, String> settings) {

  private static final String SETTING = "set.";

  /** For a rank's start on another host. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A name for a cluster that no other run has. */
  public static String uniqueClusterName() {
    return "bench-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
  }

  /** Reads what {@link #addTo} wrote. */
  public static Membership parse(Line line) {
    return new Membership(
        (int) line.number("id"),
        line.text("cluster"),
        Stream.of(line.text("addresses").split(",")).filter(text -> !text.isEmpty()).toList(),
        line.text("transport"),
        line.texts(SETTING));
  }

  /** Adds it to a line. */
  public Line addTo(Line line) {
    return line.with("id", id)
        .with("cluster", cluster)
        .with("addresses", String.join(",", addresses))
        .with("transport", transport)
        .with(SETTING, settings);
  }

  /** How many nodes there are. */
  public int nodes() {
    return addresses.size();
  }

  /** Addresses of this host that nobody uses. */
  public static List<String> onThisHost(int nodes) {
    return FreePorts.find(nodes).stream().map(port -> "127.0.0.1:" + port).toList();
  }

  /** The configuration of the node. */
  public NodeConfig config(MessageTypes types) {
    return addresses.isEmpty() ? ofJob().config(types) : ofAddresses(types);
  }

  /** As the job of which this process is a rank says; waits until all ranks are there. */
  private Membership ofJob() {
    try (Job job = Job.open()) {
      job.publish(job.freeAddress().getBytes(UTF_8));
      job.awaitAll(PATIENCE);
      List<String> all = new ArrayList<>();
      for (int rank = 0; rank < job.size(); rank++) {
        all.add(new String(job.address(rank, Duration.ZERO), UTF_8));
      }
      Map<String, String> withKey = new LinkedHashMap<>(settings);
      String keyFile = System.getenv("VERBENA_CLUSTER_KEY_FILE"); // none of a rank that is alone
      if (keyFile != null && !settings.containsKey("cluster.key")) {
        withKey.putIfAbsent("cluster.key.file", keyFile);
      }
      return new Membership(id, job.id(), all, transport, withKey);
    }
  }

  private NodeConfig ofAddresses(MessageTypes types) {
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
    return addresses.get(node - 1);
  }
}
