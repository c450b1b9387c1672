// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Node;
import io.verbena.PeerLostException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.Events;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TestMessages.Blob;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes whose limits do not fit come to nothing, but say so and do not dial without a pause. */
@Tag("timing")
class UnequalLimitsTest {

  private static final byte[] LARGE = new byte[30_000];

  private final Cluster cluster = new Cluster(new ProxiedTcp());

  @AfterEach
  void close() {
    cluster.close();
  }

  private static void trySend(Node node) {
    try {
      node.send(2, new Blob(0, LARGE));
    } catch (PeerLostException e) {
      assertThat(e).hasMessageContaining("node 2");
    }
  }

  @Test
  @Timeout(600)
  void laneLargerThanThePeerAcceptsEndsTheSessionAndTheSenderIsTold() {
    Node small = cluster.open(2, builder -> builder.set("tcp.lane.max.bytes", "64K"));
    Node large = cluster.open(1, builder -> builder.set("lane.bytes", "1M"));
    Events told = cluster.events(1);
    large.send(2, new Blob(0, LARGE)); // for which the lane has to grow
    Await.until("the loss", () -> !told.lostReasons().isEmpty());
    Await.until("the message comes back", () -> told.undelivered().size() == 1);
    while (told.lostReasons().stream().noneMatch(why -> why.contains("tcp.lane.max.bytes"))) {
      trySend(large); // the reason may be lost with the connection that brings it, but not for ever
      Await.idle(Duration.ofMillis(20));
    }
    assertThat(small.metrics().snapshot().get("sessions.broken.a-lane-too-large")).isPositive();
    Await.idle(Duration.ofSeconds(2));
    assertThat(told.connectedTimes()).isBetween(2, 20);
  }
}
