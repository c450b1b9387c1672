// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Events;
import io.verbena.testkit.SharedMemoryDirectory;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that is killed and started again while a client sends to it without a pause, and redials
 * it at once: no life of the server takes a message before its handler is there. More lives: {@code
 * -Dverbena.rounds=100}.
 */
@Tag("timing")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RestartedServerTest {

  private static final Duration A_WHILE = Duration.ofMillis(50);
  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 10);

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "rdma"})
  void noMessageIsTakenWithoutItsHandler(String transport) {
    try (SharedMemoryDirectory directory = SharedMemoryDirectory.create()) {
      Topology topology = Topology.of(transport, 2, directory.path().toString());
      Events events = new Events();
      try (Node client = Node.build(topology.config(1).set("link.timeout", "30s").build())) {
        client.addListener(events);
        client.start();
        Crew crew = new Crew().start(() -> streamUntilClosed(client));
        for (int round = 0; round < ROUNDS; round++) {
          serveAndBeKilled(topology, events, round);
        }
        client.close(Duration.ZERO);
        crew.join();
      }
      Node.open(topology.config(2).build()).close(); // sweeps what the killed have left
      directory.assertNoFiles();
    }
  }

  /** The client dials it all the time, also while it has no handlers yet. */
  private static void serveAndBeKilled(Topology topology, Events client, int round) {
    try (ChildNode server = ChildNode.start(topology.task("count", 2))) {
      server.await("built");
      int links = client.connectedTimes();
      boolean isReached = Await.holdsWithin(A_WHILE, () -> client.connectedTimes() > links);
      assertFalse(isReached, () -> "round " + round + ": reached before it was started");
      server.tell("start");
      server.await("handled");
      server.kill();
    }
  }

  private static Void streamUntilClosed(Node client) {
    while (true) {
      try {
        client.send(2, new Numbered(0, 0));
      } catch (PeerLostException e) {
        // It was killed: the next message is for its next life.
      } catch (NodeClosedException e) {
        return null;
      }
    }
  }
}
