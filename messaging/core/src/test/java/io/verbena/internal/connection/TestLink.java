// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.Outlet;
import io.verbena.transport.Transport;
import io.verbena.transport.Versions;
import java.util.ArrayList;
import java.util.List;

/** A link that moves nothing and remembers what became of it. */
final class TestLink implements Link {

  /** What a handshake comes to that began when there was no link. */
  static Agreement agreement(long peerIncarnation, long held, long session) {
    return agreement(peerIncarnation, new Held(held, 0), session, Versions.SPOKEN.greatest());
  }

  /** What a handshake comes to, in a version of the protocol. */
  static Agreement agreement(long peerIncarnation, Held held, long session, int version) {
    return new Agreement(0, peerIncarnation, held, session, version, null, new byte[0]);
  }

  private final Transport transport;

  /** The lanes that go out on it. */
  final List<Integer> lanes = new ArrayList<>();

  boolean closed;
  boolean peerAnswers;

  TestLink(Transport transport) {
    this.transport = transport;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String describe() {
    return "a link that moves nothing";
  }

  @Override
  public Outlet attach(int laneId, LaneMemory memory) {
    lanes.add(laneId);
    return new Outlet() {
      @Override
      public void published() {}

      @Override
      public void awaitConsumed(long position, long timeoutNs) {}

      @Override
      public void finish(long finalPosition) {}
    };
  }

  @Override
  public boolean peerAnswers() {
    return peerAnswers;
  }

  @Override
  public void close(String reason) {
    closed = true;
  }
}
