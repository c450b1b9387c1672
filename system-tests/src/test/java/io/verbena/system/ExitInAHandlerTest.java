// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.Node;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Numbered;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that calls {@code System.exit} waits for the hook that waits for the handler. */
@Tag("timing")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ExitInAHandlerTest {

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma"})
  void endsTheProcess(String transport) {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of(transport, 2, directory.path().toString());
      try (Node one = Node.open(topology.config(1).build());
          ChildNode exiting = ChildNode.start(topology.task("exit", 2))) {
        exiting.await("ready");
        one.send(2, new Numbered(1, 0));
        assertEquals(3, exiting.awaitExit(), exiting::toString);
      }
      directory.assertNoFiles();
    }
  }
}
