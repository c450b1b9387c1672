// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.transport.Companion;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.NodeIdentity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is attached to a node, from its start to its end. */
class CompanionsTest {

  private final List<String> told = new ArrayList<>();
  private final Node node =
      Node.build(
          NodeConfig.builder()
              .id(7)
              .cluster("companions")
              .transport("loopback")
              .peer(8, "127.0.0.1:4000")
              .peer(9, "")
              .types(MessageTypes.builder().build())
              .build());

  /** Tells what it is told. */
  private class Told implements Companion {
    private final String name;

    Told(String name) {
      this.name = name;
    }

    @Override
    public void started(NodeIdentity identity) {
      told.add(name + " started");
    }

    @Override
    public void peerRemoved(int peer) {
      told.add(name + " without " + peer);
    }

    @Override
    public void peerGivenUp(int peer, String reason) {
      told.add(name + " has lost " + peer + ": " + reason);
    }

    @Override
    public void closing() {
      told.add(name + " closing");
    }
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void startInOrderAndCloseTheOtherWayRound() {
    node.attach(new Told("first"));
    node.attach(new Told("second"));
    node.start();
    node.removePeer(8);
    node.giveUp(9, "gone");
    node.close();
    node.close();
    assertThat(told)
        .containsExactly(
            "first started",
            "second started",
            "first without 8",
            "second without 8",
            "first has lost 9: gone",
            "second has lost 9: gone",
            "second closing",
            "first closing");
  }

  @Test
  void areToldWhoTheNodeIs() {
    NodeIdentity[] identity = {null};
    node.attach(
        new Told("only") {
          @Override
          public void started(NodeIdentity of) {
            identity[0] = of;
          }
        });
    node.start();
    assertThat(identity[0].nodeId()).isEqualTo(7);
    assertThat(identity[0].incarnation()).isEqualTo(node.incarnation());
    assertThat(identity[0].cluster()).isEqualTo("companions");
    assertThat(identity[0].clusterKey()).isNull();
    assertThat(identity[0].address()).isEmpty();
    assertThat(identity[0].addressOf(8)).isEqualTo("127.0.0.1:4000");
    assertThat(identity[0].addressOf(9)).isEmpty();
    assertThat(identity[0].addressOf(10)).isNull();
    assertThat(identity[0].setting(new ConfigKey("close.grace", Kind.TEXT, "x", "", "")))
        .isNotEmpty();
  }

  @Test
  void comeBetweenBuildAndStart() {
    node.start();
    assertThatIllegalStateException()
        .isThrownBy(() -> node.attach(new Told("late")))
        .withMessageContaining("between build and start");
    node.close();
    assertThatExceptionOfType(NodeClosedException.class)
        .isThrownBy(() -> node.attach(new Told("later")));
    assertThat(told).isEmpty();
  }

  @Test
  void areClosedWithANodeThatNeverStarted() {
    node.attach(new Told("only"));
    node.close();
    assertThat(told).containsExactly("only closing");
  }

  @Test
  void oneThatCannotStartKeepsTheNodeFromIt() {
    node.attach(new Told("first"));
    node.attach(
        new Told("second") {
          @Override
          public void started(NodeIdentity of) {
            throw new IllegalStateException("there is no room");
          }
        });
    assertThatExceptionOfType(VerbenaException.class)
        .isThrownBy(node::start)
        .withMessage("cannot start what is attached to node 7: there is no room");
    assertThat(told).containsExactly("first started", "second closing", "first closing");
    assertThatExceptionOfType(NodeClosedException.class).isThrownBy(node::start);
  }

  @Test
  void oneThatFailsToCloseKeepsNobodyElseFromIt() {
    node.attach(new Told("first"));
    node.attach(
        new Told("second") {
          @Override
          public void closing() {
            throw new IllegalStateException("as it should");
          }
        });
    node.start();
    node.close();
    assertThat(told).containsExactly("first started", "second started", "first closing");
  }
}
