// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * The suite on {@code auto} where nodes do not share memory: each has a directory of its own, so
 * they find out and use TCP, through proxies that cut.
 */
class AutoConformanceTest extends TransportConformance {

  @Override
  protected TransportUnderTest transport() {
    return new AutoApart();
  }

  @Test
  void nodesThatDoNotShareMemoryUseTcp() {
    try (TransportUnderTest transport = transport();
        Node two = open(transport, 2);
        Node one = open(transport, 1)) {
      one.send(2, new Numbered(0, 0));
      assertEquals("tcp", one.connections().iterator().next().transport());
      assertEquals(2, two.id());
    }
  }

  private static Node open(TransportUnderTest transport, int id) {
    int other = 3 - id;
    return Node.open(
        transport
            .configure(
                NodeConfig.builder().id(id).types(io.verbena.testkit.TestMessages.types()), id)
            .peer(other, transport.address(id, other))
            .build());
  }

  private static final class AutoApart extends ProxiedTcp {
    private final Map<Integer, SharedMemoryDirectory> directories = new ConcurrentHashMap<>();

    @Override
    public String name() {
      return "auto";
    }

    @Override
    public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
      SharedMemoryDirectory directory =
          directories.computeIfAbsent(nodeId, id -> SharedMemoryDirectory.create());
      return super.configure(builder, nodeId).set("shm.directory", directory.path().toString());
    }

    @Override
    public void close() {
      super.close();
      directories.values().forEach(SharedMemoryDirectory::close);
    }
  }
}
