// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.Node;
import io.verbena.PeerRefusedException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.Events;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import org.junit.jupiter.api.Test;

/** Two processes that both call themselves node 2. */
class SameIdTest {

  private static final String DEAD_AFTER = "tcp.dead.after";

  @Test
  void theSecondIsRefusedAndTheFirstGoesOn() throws Exception {
    ProxiedTcp wires = new ProxiedTcp();
    try (Cluster cluster = new Cluster(wires)) {
      open(cluster, "1m");
      try (Node first = cluster.open(2)) {
        assertThat(ask(first)).isEqualTo(3);
        Node second = openSecond(cluster, wires);
        assertThatThrownBy(() -> ask(second))
            .isInstanceOf(PeerRefusedException.class)
            .hasMessageContaining("another process is node 2 and answers (tcp 127.0.0.1:")
            .hasMessageContaining("an id of its own");
        assertThat(ask(first)).isEqualTo(3);
        assertThat(cluster.events(1).restartedTimes()).isZero();
        assertThat(cluster.events(1).disconnectedTimes()).isZero();
        first.close();
        assertThat(ask(second)).isEqualTo(3);
      }
    }
  }

  @Test
  void aFirstThatDoesNotAnswerGivesWay() throws Exception {
    ProxiedTcp wires = new ProxiedTcp();
    try (Cluster cluster = new Cluster(wires)) {
      open(cluster, "4s");
      try (Node first =
          cluster.open(2, builder -> builder.set(DEAD_AFTER, "1m").set("link.timeout", "1s"))) {
        Events ofFirst = cluster.events(2);
        assertThat(ask(first)).isEqualTo(3);
        wires.proxy(2, 1).stall();
        Node second = openSecond(cluster, wires);
        assertThat(ask(second)).isEqualTo(3);

        wires.proxy(2, 1).flow();

        Await.until("the first one's end", () -> !ofFirst.lostReasons().isEmpty());
        assertThatThrownBy(() -> ask(first))
            .isInstanceOf(PeerRefusedException.class)
            .hasMessageContaining("another process is node 2");
        assertThat(ask(second)).isEqualTo(3);
      }
    }
  }

  private static void open(Cluster cluster, String deadAfter) {
    cluster
        .open(1, builder -> builder.set(DEAD_AFTER, deadAfter))
        .handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
  }

  private static Node openSecond(Cluster cluster, ProxiedTcp wires) {
    return cluster.open(
        2, builder -> builder.listen("127.0.0.1:0").peer(1, "127.0.0.1:" + wires.port(1)));
  }

  private static long ask(Node node) throws InterruptedException {
    return node.request(1, new Ask(3), Answer.class, Await.LONG).number();
  }
}
