// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.testkit.Pattern;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages put together in a JVM that may have little memory outside its heap. */
@Tag("timing")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LargeMessagesTest {

  private static final int MESSAGE_BYTES = (64 << 20) - 1024;
  private static final int MESSAGES = Integer.getInteger("verbena.large.messages", 20);

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void memoryThatIsOutgrownIsFreedAtOnce(String transport) throws InterruptedException {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of(transport, 2, directory.path().toString());
      List<String> scarce =
          List.of("-XX:MaxDirectMemorySize=256m", "-Xmx512m", "-XX:+DisableExplicitGC");
      try (Node one = Node.open(topology.config(1).build());
          ChildNode receiver = ChildNode.start(scarce, topology.task("answer", 2))) {
        receiver.await("ready");
        Blob blob = new Blob(1, Pattern.bytes(1, MESSAGE_BYTES));
        for (int i = 0; i < MESSAGES; i++) {
          one.send(2, blob);
        }
        Answer last = one.request(2, new Ask(MESSAGES), Answer.class, Duration.ofMinutes(5));
        assertThat(last.number()).isEqualTo(MESSAGES);
        assertThat(one.metrics().snapshot().get("connections.lost")).isZero();
        receiver.end();
      }
      directory.assertNoFiles();
    }
  }
}
