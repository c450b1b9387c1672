// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.NodeConfig;
import io.verbena.testkit.Ports;
import io.verbena.testkit.TappedTransport;
import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The conformance suite over verbs: softnic, or the device that {@code verbena.rdma.device} names.
 */
class RdmaConformanceTest extends TransportConformance {

  private static final String DEVICE = System.getProperty("verbena.rdma.device", "softnic");

  /** A JVM that has just started in an emulated machine needs seconds for its first connection. */
  private static final String CONNECT_TIMEOUT = DEVICE.equals("softnic") ? "5s" : "20s";

  @Override
  protected TransportUnderTest transport() {
    return new Verbs();
  }

  private static final class Verbs extends TappedTransport {
    private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();

    Verbs() {
      super("rdma");
    }

    private String address(int node) {
      return "127.0.0.1:" + ports.computeIfAbsent(node, id -> Ports.free());
    }

    @Override
    public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
      return super.configure(builder, nodeId)
          .listen(address(nodeId))
          .set("rdma.device", DEVICE)
          .set("connect.timeout", CONNECT_TIMEOUT)
          .set("rdma.receive.requests", "128");
    }

    @Override
    public String address(int from, int to) {
      return address(to);
    }
  }
}
