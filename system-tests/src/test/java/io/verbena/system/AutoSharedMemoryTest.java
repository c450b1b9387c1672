// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.LifecycleConformance;
import io.verbena.testkit.OrderConformance;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Numbered;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** {@code auto} where nodes share memory: it is used, though each of them has a TCP address too. */
@Tag("timing")
class AutoSharedMemoryTest {

  @Nested
  class Order extends OrderConformance {
    Order() {
      super(AutoTogether::new);
    }
  }

  @Test
  void nodesOfOneHostUseSharedMemory() {
    assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "this system has no /dev/shm");
    try (Cluster cluster = new Cluster(new AutoTogether())) {
      cluster.open(2);
      Node one = cluster.open(1);
      one.send(2, new Numbered(0, 0));
      assertEquals("shm", one.connections().iterator().next().transport());
    }
  }

  @Nested
  class Lifecycle extends LifecycleConformance {
    Lifecycle() {
      super(AutoTogether::new);
    }
  }

  private static final class AutoTogether extends ProxiedTcp {
    private final SharedMemoryDirectory directory = SharedMemoryDirectory.create();

    @Override
    public String name() {
      return "auto";
    }

    @Override
    public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
      return super.configure(builder, nodeId).set("shm.directory", directory.path().toString());
    }

    /** Without a proxy: shared memory is looked for under the address a node listens on. */
    @Override
    public String address(int from, int to) {
      return "127.0.0.1:" + port(to);
    }

    @Override
    public void isolate(int node, boolean cutOff) {
      throw new TestAbortedException("links over shared memory cannot be cut from outside");
    }

    @Override
    public void close() {
      super.close();
      directory.close();
    }
  }
}
