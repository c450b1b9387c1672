// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.config.CoreKeys;
import io.verbena.internal.connection.Connection;
import io.verbena.transport.Agreement;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Held;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A node as its transports see it. */
final class TransportHost implements TransportContext {

  private static final Logger LOG = System.getLogger("io.verbena");

  private final Switchboard board;

  TransportHost(Switchboard board) {
    this.board = board;
  }

  @Override
  public int nodeId() {
    return board.id();
  }

  @Override
  public long incarnation() {
    return board.incarnation();
  }

  @Override
  public String cluster() {
    return board.config().cluster();
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return board.config().clusterKey();
  }

  @Override
  public long typeFingerprint() {
    return board.types().fingerprint();
  }

  @Override
  public String typeDescription() {
    return board.types().description();
  }

  @Override
  public String typeDifference(String peerDescription) {
    return TypeTable.firstDifference(board.types().description(), peerDescription);
  }

  @Override
  public @Nullable String typeConflict(String peerDescription) {
    return board.types().conflictWith(peerDescription);
  }

  @Override
  public String setting(ConfigKey key) {
    boolean isListen = key.name().equals(CoreKeys.LISTEN.name());
    return isListen ? board.transports().listen() : board.config().setting(key);
  }

  @Override
  public long idleSpinNs() {
    return board.config().idleSpin().toNanos();
  }

  @Override
  public int idleLooks() {
    return board.config().idleLooks();
  }

  @Override
  public void answered(int peer) {
    Connection connection = board.existingConnectionTo(peer);
    if (connection != null) {
      connection.dialAnswered();
    }
  }

  @Override
  public boolean isDialling(int peer) {
    Connection connection = board.existingConnectionTo(peer);
    return connection != null && connection.isDialling();
  }

  @Override
  public Held held(int peer, long peerIncarnation) {
    Connection connection = board.existingConnectionTo(peer);
    return connection == null ? Held.NOTHING : connection.heldWith(peerIncarnation);
  }

  @Override
  public void contest(int peer, long newIncarnation) throws RefusedException {
    Connection connection = board.existingConnectionTo(peer);
    if (connection != null) {
      connection.contest(newIncarnation);
    }
  }

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    if (board.isClosed()) {
      throw new RefusedException(
          RefusedException.Reason.CLOSING, "node " + board.id() + " is closing");
    }
    return board.connectionFrom(agreement.peer()).established(agreement, link, reason);
  }

  @Override
  public void rejected(RefusedException.Reason reason, String text) {
    board.metrics().rejected(reason.name());
    LOG.log(Level.DEBUG, "node {0} refused a link: {1}: {2}", board.id(), reason, text);
  }

  @Override
  public void freeLater(long bytes, Runnable release) {
    board.freeLater(bytes, release);
  }

  @Override
  public int moveBacklog() {
    return board.backlogs().move();
  }

  @Override
  public void received() {
    board.receivers().changed();
  }

  @Override
  public void lookSoon(BooleanSupplier look) {
    board.lookSoon(look);
  }

  @Override
  public void roleIsFree() {
    board.receivers().passOn();
  }
}
