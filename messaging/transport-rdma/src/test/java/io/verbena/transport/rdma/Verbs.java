// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.NodeConfig;
import io.verbena.testkit.Ports;
import io.verbena.testkit.TappedTransport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Verbs under test: softnic, or the device that {@code verbena.rdma.device} names. */
final class Verbs extends TappedTransport {

  static final String SOFTNIC = "softnic";
  static final String DEVICE = System.getProperty("verbena.rdma.device", SOFTNIC);

  private final String host;
  private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();

  /** All nodes listen on this host: a name, an IPv4 address, or an IPv6 address in brackets. */
  Verbs(String host) {
    super("rdma");
    this.host = host;
  }

  Verbs() {
    this("127.0.0.1");
  }

  String address(int node) {
    return host + ':' + ports.computeIfAbsent(node, id -> Ports.free());
  }

  @Override
  public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
    return super.configure(builder, nodeId)
        .listen(address(nodeId))
        .set("rdma.device", DEVICE)
        .set("rdma.dead.after", "1m") // emulated cores that are busy keep threads waiting for long
        .set("rdma.receive.requests", "128");
  }

  @Override
  public String address(int from, int to) {
    return address(to);
  }
}
