// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.SendResult;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.CuttingProxy;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import org.junit.jupiter.api.Test;

/**
 * A dial whose first word arrives when the other side's dial has made the link already, or never.
 */
class LateDialTest {

  @Test
  void leavesTheLinkAlone() throws Exception {
    ProxiedTcp wires = new ProxiedTcp();
    try (Cluster cluster = new Cluster(wires)) {
      cluster.open(1).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      cluster.open(2).handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      CuttingProxy late = wires.proxy(2, 1);
      late.stall();
      assertThat(cluster.node(2).trySend(1, new Numbered(0, 0))).isEqualTo(SendResult.CONNECTING);
      Await.until("the dial of node 2", () -> late.openConnections() == 1);
      ask(cluster, 1, 2);

      late.flow();

      Await.until("the end of the dial", () -> late.openConnections() == 0);
      ask(cluster, 1, 2);
      ask(cluster, 2, 1);
      assertThat(cluster.events(1).disconnectedTimes()).isZero();
      assertThat(cluster.events(2).disconnectedTimes()).isZero();
    }
  }

  /** The node with the lower id dials into nothing; the other way is open. */
  @Test
  void refusesNobodyWhileItIsNotAnswered() throws Exception {
    ProxiedTcp wires = new ProxiedTcp();
    try (Cluster cluster = new Cluster(wires)) {
      cluster
          .open(1, builder -> builder.set("connect.timeout", "5m"))
          .handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
      cluster.open(2);
      CuttingProxy nowhere = wires.proxy(1, 2);
      nowhere.stall();
      assertThat(cluster.node(1).trySend(2, new Numbered(0, 0))).isEqualTo(SendResult.CONNECTING);
      Await.until("the dial of node 1", () -> nowhere.openConnections() == 1);
      ask(cluster, 2, 1);
      assertThat(nowhere.openConnections()).isEqualTo(1);
    }
  }

  private static void ask(Cluster cluster, int from, int to) throws InterruptedException {
    assertThat(cluster.node(from).request(to, new Ask(3), Answer.class, Await.LONG).number())
        .isEqualTo(3);
  }
}
