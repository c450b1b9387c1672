// SPDX-License-Identifier: Apache-2.0
package io.verbena.nodefabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.RemoteHandlerException;
import io.verbena.VerbenaException;
import io.verbena.fabric.Access;
import io.verbena.fabric.ChannelOutcome;
import io.verbena.fabric.ChannelReader;
import io.verbena.fabric.ChannelWriter;
import io.verbena.fabric.ClosedException;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricException;
import io.verbena.fabric.Link;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.lang.foreign.ValueLayout;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node's fabric: over the device of its transport, or over softnic beside another transport. */
@Tag("timing")
class NodeFabricTest {

  private static final String BOTH = "auto rdma.device=softnic";

  @ParameterizedTest
  @CsvSource({"rdma,rdma", "tcp,tcp", BOTH + ",tcp", "tcp," + BOTH, BOTH + "," + BOTH})
  void messagesAndMemoryGoUnderOneNumber(String here, String there) throws Exception {
    try (Pair nodes = new Pair(here, there);
        Region mine = nodes.here().allocate(Pair.BYTES);
        Region theirs = nodes.there().allocate(Pair.BYTES)) {
      nodes.serve(theirs);
      RegionKey key = nodes.ask();
      assertThat(key.owner()).isEqualTo(2);
      assertThat(key.incarnation()).isEqualTo(nodes.two.incarnation());
      mine.memory().set(ValueLayout.JAVA_LONG, 0, 4711);
      try (Remote remote = Remote.of(key)) {
        Link link = nodes.here().link(2, Pair.LONG);
        Pair.get(link.put(mine, 0, remote, 8, 8));
        assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(4711);
        assertThat(Pair.get(link.fetchAdd(remote, 8, 1))).isEqualTo(4711);
      }
      Link back = nodes.there().link(1, Pair.LONG);
      Pair.get(back.flush());
      nodes.ask();
    }
  }

  /** One address for all that a node does over verbs. */
  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp", BOTH})
  void theFabricIsReachedWhereTheNodeListens(String transport) {
    int port = Ports.free();
    Node node = Node.build(Pair.config(1, transport, "127.0.0.1:" + port).build());
    try (Fabric fabric = NodeFabric.start(node)) {
      assertThat(fabric.address()).isEqualTo("127.0.0.1:" + port);
      assertThat(fabric.nodeId()).isEqualTo(1);
    } finally {
      node.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void channelsFindPeersByTheirNumbers(String transport) {
    byte[] message = {1, 2, 3};
    byte[] into = new byte[8];
    try (Pair nodes = new Pair(transport, transport);
        ChannelReader reader = nodes.there().openReader(5, 4096);
        ChannelWriter writer = nodes.here().openWriter(2, 5, Pair.LONG)) {
      assertThat(writer.push(message, Pair.LONG)).isEqualTo(ChannelOutcome.DONE);
      assertThat(reader.pop(into, Pair.LONG)).isEqualTo(ChannelOutcome.DONE);
      assertThat(reader.length()).isEqualTo(3);
    }
  }

  // ---------------------------------------------------------------- who may

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void theClusterKeyIsTheNodes(String transport) {
    try (Pair nodes =
            new Pair(transport, transport, it -> it.set("cluster.key", "a secret of the cluster"));
        Fabric stranger =
            Fabric.builder(3).cluster("x").listen("127.0.0.1:0").device("softnic").open()) {
      Pair.get(nodes.here().link(2, Pair.LONG).flush());
      stranger.addPeer(2, nodes.there().address());
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> stranger.link(2, Pair.LONG))
          .withMessageContaining("cluster");
    }
  }

  @Test
  void keysOfAFormerLifeAreRefused() throws Exception {
    String there = "127.0.0.1:" + Ports.free();
    String here = "127.0.0.1:" + Ports.free();
    Node one = Node.build(Pair.config(1, "rdma", here).peer(2, there).build());
    try (Fabric fabric = NodeFabric.start(one);
        Region mine = fabric.allocate(64)) {
      RegionKey old;
      Node former = Node.build(Pair.config(2, "rdma", there).build());
      try (Region region = NodeFabric.start(former).allocate(64)) {
        old = region.share(0, 64, Access.PUT);
        Pair.get(fabric.link(2, Pair.LONG).flush());
      }
      former.close();
      Node two = Node.build(Pair.config(2, "rdma", there).build());
      NodeFabric.start(two).drive();
      try (Remote remote = Remote.of(old)) {
        Link link = Pair.get(CompletableFuture.supplyAsync(() -> fabric.link(2, Pair.LONG)));
        assertThatExceptionOfType(FabricException.class)
            .isThrownBy(() -> Pair.get(link.put(mine, 0, remote, 0, 8)))
            .withMessageContaining("former life");
      } finally {
        two.close();
      }
    } finally {
      one.close();
    }
  }

  @Test
  void whoIsNoPeerIsNotLinked() {
    try (Pair nodes = new Pair("rdma", "rdma")) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> nodes.here().link(9, Pair.LONG))
          .withMessageContaining("node 9");
      nodes.one.addPeer(9, nodes.there().address());
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> nodes.here().link(9, Duration.ofSeconds(1)))
          .withMessageContaining("node 9");
    }
  }

  // ---------------------------------------------------------------- its life

  @Test
  void attachesBetweenBuildAndStart() {
    Node node = Node.build(Pair.config(1, "tcp", "127.0.0.1:0").build());
    NodeFabric attached = NodeFabric.attach(node);
    assertThatIllegalStateException()
        .isThrownBy(attached::fabric)
        .withMessageContaining("call start() first");
    node.start();
    Fabric fabric = attached.fabric();
    assertThatIllegalStateException()
        .isThrownBy(() -> NodeFabric.attach(node))
        .withMessageContaining("between build and start");
    node.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> fabric.allocate(8));
    assertThatExceptionOfType(NodeClosedException.class).isThrownBy(attached::fabric);
    assertThatExceptionOfType(NodeClosedException.class).isThrownBy(() -> NodeFabric.attach(node));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void theNodeClosesItsFabric(String transport) {
    try (Pair nodes = new Pair(transport, transport);
        Region mine = nodes.here().allocate(Pair.BYTES);
        Region theirs = nodes.there().allocate(Pair.BYTES);
        Remote remote = Remote.of(theirs.share(0, Pair.BYTES, Access.values()))) {
      Fabric here = nodes.here();
      Link link = here.link(2, Pair.LONG);
      Pair.get(link.put(mine, 0, remote, 0, 8));
      nodes.one.close();
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(() -> Pair.get(link.put(mine, 0, remote, 0, 8)));
      assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> here.link(2));
      assertThat(mine.memory().get(ValueLayout.JAVA_BYTE, 0)).isZero(); // it stays
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void theNodeGoesOnWithoutItsFabric(String transport) throws Exception {
    try (Pair nodes = new Pair(transport, transport);
        Region theirs = nodes.there().allocate(Pair.BYTES)) {
      nodes.serve(theirs);
      Link link = nodes.here().link(2, Pair.LONG);
      Link back = nodes.there().link(1, Pair.LONG);
      nodes.ask();
      nodes.here().close();
      assertThat(link.isUp()).isFalse();
      nodes.there().drive();
      Await.until("the far side knows", () -> !back.isUp());
      nodes.ask();
      nodes.there().close();
      assertThatExceptionOfType(RemoteHandlerException.class) // its node answers
          .isThrownBy(nodes::ask)
          .withMessageContaining("the fabric of the region was closed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void whoIsRemovedLosesHisLinks(String transport) throws Exception {
    try (Pair nodes = new Pair(transport, transport);
        Region theirs = nodes.there().allocate(Pair.BYTES)) {
      nodes.serve(theirs);
      nodes.ask();
      Link link = nodes.here().link(2, Pair.LONG);
      nodes.here().drive();
      nodes.one.removePeer(2);
      Await.until("the link is down", () -> !link.isUp());
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> nodes.here().link(2, Pair.LONG));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void whoIsGivenUpLosesHisChannelsForTheReasonGiven(String transport) {
    byte[] message = new byte[1];
    try (Pair nodes = new Pair(transport, transport);
        ChannelReader reader = nodes.here().openReader(5, 4096);
        ChannelWriter writer = nodes.there().openWriter(1, 5, Pair.LONG)) {
      assertThat(writer.push(message, Pair.LONG)).isEqualTo(ChannelOutcome.DONE);
      assertThat(reader.pop(message, Pair.LONG)).isEqualTo(ChannelOutcome.DONE);
      nodes.one.giveUp(2, "its host burns");
      assertThat(reader.pop(message, Pair.LONG)).isEqualTo(ChannelOutcome.LOST);
      assertThat(reader.lostBecause()).isEqualTo("its host burns");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdma", "tcp"})
  void besideVerbsThereIsOneWhereTheNodeHasThem(String transport) {
    try (Node node = Node.build(Pair.config(1, transport, "127.0.0.1:" + Ports.free()).build())) {
      NodeFabric attached = NodeFabric.attachBesideVerbs(node);
      assertThat(attached.current()).isEmpty();
      node.start();
      assertThat(attached.current().isPresent()).isEqualTo(transport.equals("rdma"));
      if (attached.current().isEmpty()) {
        assertThatIllegalStateException()
            .isThrownBy(attached::fabric)
            .withMessageContaining("no transport over verbs");
      }
    }
  }

  @Test
  void aNodeWhoseFabricCannotOpenDoesNotStart() throws Exception {
    int port = Ports.free();
    try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress("127.0.0.1", port))) {
      Node node = Node.build(Pair.config(1, "tcp", "127.0.0.1:" + taken.getLocalPort()).build());
      NodeFabric attached = NodeFabric.attach(node);
      assertThatExceptionOfType(VerbenaException.class)
          .isThrownBy(node::start)
          .withMessageContaining("cannot start what is attached to node 1")
          .withMessageContaining(String.valueOf(port));
      assertThatExceptionOfType(NodeClosedException.class).isThrownBy(attached::fabric);
    }
  }
}
