// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.PeerRefusedException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.Ports;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import io.verbena.testkit.Threads.Crew;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More than two nodes of one process, told apart by id, address and life. */
@Tag("timing")
@Timeout(600)
class ManyNodesTest {

  private static Node open(Cluster cluster, int id) {
    return answering(cluster.open(id));
  }

  private static Node answering(Node node) {
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number() + node.id())));
    return node;
  }

  private static Void ask(Node from, int to) throws InterruptedException {
    Answer answer = from.request(to, new Ask(100), Answer.class, Await.LONG);
    assertThat(answer.number()).as(from.id() + " asks " + to).isEqualTo(100 + to);
    return null;
  }

  private static long counted(Node node, String name) {
    Long count = node.metrics().snapshot().get(name);
    assertThat(count).as(name).isNotNull();
    return count;
  }

  /** All at once, so that dials cross. */
  @Test
  void eachTalksToEach() {
    List<Integer> ids = List.of(1, 2, 3, 4);
    try (Cluster cluster = new Cluster(new Verbs())) {
      ids.forEach(id -> open(cluster, id));
      Crew crew = new Crew();
      for (int from : ids) {
        for (int to : ids) {
          if (from != to) {
            crew.start(() -> ask(cluster.node(from), to));
          }
        }
      }
      crew.join();
      for (int id : ids) {
        assertThat(cluster.node(id).connections())
            .hasSize(3)
            .allMatch(connection -> connection.transport().equals("rdma"));
        assertThat(counted(cluster.node(id), "rdma.connections")).isEqualTo(3);
      }
    }
  }

  @Test
  void nodesListenAndDialOnIpv6() throws Exception {
    assumeIpv6();
    try (Cluster cluster = new Cluster(new Verbs("[::1]"))) {
      for (int id = 1; id <= 3; id++) {
        open(cluster, id);
      }
      ask(cluster.node(1), 2);
      ask(cluster.node(2), 3);
      ask(cluster.node(3), 1);
    }
  }

  @Test
  void nodeThatListensOnAllAddressesIsReachedByEitherFamily() throws Exception {
    assumeIpv6();
    int port = Ports.free();
    try (Cluster cluster = new Cluster(new Verbs())) {
      answering(cluster.open(2, builder -> builder.listen("[::]:" + port)));
      ask(cluster.open(1, builder -> builder.peer(2, "127.0.0.1:" + port)), 2);
      ask(cluster.open(3, builder -> builder.listen("[::1]:0").peer(2, "[::1]:" + port)), 2);
    }
  }

  private static void assumeIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      assertThat(socket.isBound()).isTrue();
    } catch (IOException e) {
      assumeTrue(false, "this machine has no IPv6: " + e.getMessage());
    }
  }

  @Test
  void strangerWithTheIdOfALivingNodeIsRefusedAndCounted() throws Exception {
    Verbs verbs = new Verbs();
    try (Cluster cluster = new Cluster(verbs)) {
      Node one = open(cluster, 1);
      Node two = open(cluster, 2);
      ask(two, 1);
      assertThat(counted(one, "rdma.refused.identity")).isZero();
      NodeConfig.Builder config =
          verbs.configure(NodeConfig.builder().id(2).types(TestMessages.types()), 2);
      config.listen("127.0.0.1:" + Ports.free()).peer(1, verbs.address(1));
      try (Node stranger = Node.open(config.build())) {
        assertThatExceptionOfType(PeerRefusedException.class)
            .isThrownBy(() -> stranger.send(1, new Numbered(2, 0)))
            .withMessageContaining("node 2 is another one, alive at " + verbs.address(2));
      }
      assertThat(counted(one, "rdma.refused.identity")).isPositive();
      ask(one, 2);
      ask(two, 1);
      assertThat(cluster.events(1).disconnectedTimes()).isZero();
      assertThat(counted(one, "rdma.links.made")).isEqualTo(1);
    }
  }

  @Test
  void countersStayWhenTheNodeIsClosed() throws Exception {
    try (Cluster cluster = new Cluster(new Verbs())) {
      Node one = open(cluster, 1);
      open(cluster, 2);
      ask(one, 2);
      assertThat(counted(one, "rdma.links.lost")).isZero();
      assertThat(counted(one, "rdma.exchange.packets.out")).isPositive();
      assertThat(counted(one, "rdma.receive.buffer.bytes"))
          .as("what a connection begins with, two buffers of the default size each")
          .isGreaterThanOrEqualTo(4 * 2 * 16 << 10);
      one.close();
      assertThat(counted(one, "rdma.connections")).isZero();
      assertThat(counted(one, "rdma.links.made")).isEqualTo(1);
      assertThat(counted(one, "rdma.links.lost")).isEqualTo(1);
    }
  }
}
