// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.HandWire;
import io.verbena.internal.connection.TestHost;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of more connections than allowed those go that were not used for the longest time. */
@Tag("timing")
class IdleConnectionsTest {

  private static final int LIMIT = 3;

  private final TestHost hub = new TestHost(100);
  private final List<TestHost> peers = new ArrayList<>();
  private final List<HandWire> wires = new ArrayList<>();
  private final IdleConnections idle = new IdleConnections(LIMIT);
  private long nowNs = System.nanoTime() - 1_000_000_000;

  @BeforeEach
  void linkAsManyAsAllowed() {
    for (int i = 0; i < LIMIT; i++) {
      linkOneMore();
      tick();
    }
  }

  @AfterEach
  void close() {
    wires.forEach(HandWire::close);
  }

  private void linkOneMore() {
    TestHost peer = new TestHost(wires.size());
    peer.handle(Note.class, (note, from) -> {});
    peers.add(peer);
    wires.add(new HandWire(hub, peer).link());
  }

  /** A while later the clock looks, and what it starts is brought to its end. */
  private void tick() {
    nowNs++;
    idle.tick(nowNs, connections());
    wires.forEach(HandWire::deliver);
  }

  private void useFromHere(int peer) {
    Note note = new Note(1);
    wires.get(peer).left().send(hub.codecOf(note), note);
    wires.get(peer).deliver();
    tick();
  }

  private List<Connection> connections() {
    return wires.stream().map(HandWire::left).toList();
  }

  private List<Integer> open() {
    return connections().stream().filter(Connection::hasSession).map(Connection::peer).toList();
  }

  @Test
  void asManyAsAllowedStayHoweverIdle() {
    for (int i = 0; i < 10; i++) {
      tick();
    }
    assertThat(open()).containsExactly(0, 1, 2);
    assertThat(hub.counter("connections.evicted")).isZero();
  }

  @Test
  void oneMoreClosesTheOneUsedLongestAgo() {
    useFromHere(0);
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(0, 2, 3);
    assertThat(hub.counter("connections.evicted")).isEqualTo(1);
  }

  @Test
  void whatComesInIsUseToo() {
    hub.handle(Note.class, (note, from) -> {});
    Note note = new Note(1);
    wires.get(0).right().send(peers.get(0).codecOf(note), note);
    wires.get(0).deliver();
    tick();
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(0, 2, 3);
  }

  @Test
  void clockMayRunOver() {
    nowNs = Long.MAX_VALUE - 1;
    useFromHere(0);
    useFromHere(1);
    useFromHere(2);
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(1, 2, 3);
  }

  @Test
  void severalGoIfSeveralAreTooMany() {
    useFromHere(1);
    linkOneMore();
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(1, 3, 4);
  }

  @Test
  void connectionThatIsInUseIsPassedOver() {
    wires.get(0).left().openSender(); // an exclusive lane, though nothing moves on it
    wires.get(0).deliver();
    tick();
    useFromHere(1);
    useFromHere(2);
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(0, 2, 3);
  }

  /** Though it has moved no more than when it was last looked at. */
  @Test
  void connectionThatCameBackIsFresh() {
    linkOneMore();
    tick();
    assertThat(open()).containsExactly(1, 2, 3);
    wires.get(0).link();
    idle.began(wires.get(0).left(), connections());
    wires.forEach(HandWire::deliver);
    assertThat(open()).hasSize(LIMIT).contains(0);
  }

  @Test
  void limitIsLookedAtWhenAConnectionIsMade() {
    linkOneMore();
    idle.began(wires.getLast().left(), connections());
    wires.forEach(HandWire::deliver);
    assertThat(open()).hasSize(LIMIT).contains(3);
  }
}
