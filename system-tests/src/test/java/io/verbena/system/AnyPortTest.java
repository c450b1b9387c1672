// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.natives.NativeLibrary;
import io.verbena.testkit.Await;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that listens at any port has one, whatever the transport by which it is reached. */
@Tag("timing")
class AnyPortTest {

  private final SharedMemoryDirectory directory = SharedMemoryDirectory.create();

  @AfterEach
  void removeDirectory() {
    directory.close();
  }

  private Node open(int id, String transport) {
    return Node.open(
        NodeConfig.builder()
            .id(id)
            .cluster("any-port")
            .types(TestMessages.types())
            .transport(transport)
            .listen("127.0.0.1:0")
            .set("rdma.device", "softnic")
            .set("connect.timeout", "2m")
            .set("shm.directory", directory.path().toString())
            .build());
  }

  @Test
  void nodeIsReachedAtItsOnePortByAllTransports() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "this system has no /dev/shm");
    String why = NativeLibrary.unusableBecause();
    assumeTrue(why.isEmpty(), why);
    try (Node all = open(1, "auto")) {
      all.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + 1)));
      assertReached(all.address(), 2, "shm");
      assertReached(all.address(), 3, "rdma");
      assertReached(all.address(), 4, "tcp");
    }
  }

  private void assertReached(String address, int by, String transport) throws Exception {
    try (Node node = open(by, transport)) {
      node.addPeer(1, address);
      assertThat(node.request(1, new Ask(by), Answer.class, Await.LONG).number()).isEqualTo(by + 1);
      assertThat(node.connections().iterator().next().transport()).isEqualTo(transport);
    }
  }
}
