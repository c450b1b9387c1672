// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConnectionInfo;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.Host;
import io.verbena.internal.connection.RequestTable;
import io.verbena.internal.connection.SinkTable;
import io.verbena.internal.event.ConnectionStateEvent;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node as its connections see it. */
final class ConnectionHost implements Host {

  private static final Logger LOG = System.getLogger("io.verbena");

  private final Switchboard board;

  ConnectionHost(Switchboard board) {
    this.board = board;
  }

  @Override
  public int id() {
    return board.id();
  }

  @Override
  public NodeConfig config() {
    return board.config();
  }

  @Override
  public TypeTable types() {
    return board.types();
  }

  @Override
  public SinkTable sinks() {
    return board.sinks();
  }

  @Override
  public RequestTable requests() {
    return board.requests();
  }

  @Override
  public NodeMetrics metrics() {
    return board.metrics();
  }

  @Override
  public List<Transport> transportsTo(int peer) {
    String address = addressOf(peer);
    return address == null ? List.of() : board.transports().reaching(peer, address);
  }

  @Override
  public @Nullable String addressOf(int peer) {
    return board.peers().addressOf(peer);
  }

  @Override
  public @Nullable String givenUpBecause(int peer) {
    return board.peers().givenUpBecause(peer);
  }

  @Override
  public boolean isClosed() {
    return board.isClosed();
  }

  @Override
  public boolean takesNoMessages() {
    return board.isClosing();
  }

  @Override
  public void tell(Consumer<NodeListener> news) {
    board.listeners().tell(news);
  }

  @Override
  public void handlerFailed(int peer, int typeId, Throwable failure) {
    board.listeners().handlerFailed(peer, typeId, failure);
  }

  @Override
  public void stateChanged(ConnectionInfo connection, String reason) {
    int id = board.id();
    ConnectionStateEvent.emit(
        id, connection.nodeId(), connection.state().name(), connection.transport(), reason);
    LOG.log(
        Level.DEBUG,
        "node {0}: connection to {1} is {2} over {3}: {4}",
        id,
        connection.nodeId(),
        connection.state(),
        connection.transport(),
        reason);
  }

  @Override
  public void backlogged(Connection connection) {
    board.backlogs().add(connection);
  }

  @Override
  public void roomWanted(Connection connection) {
    board.backlogs().lookAfter(connection);
  }

  @Override
  public void wakeReceivers() {
    board.receivers().changed();
  }

  @Override
  public void sessionBegan(Connection connection) {
    board.sessionBegan(connection);
  }

  @Override
  public void freeLater(LaneMemory memory) {
    board.freeLater(memory.bytes(), memory::close);
  }

  @Override
  public void sendOn(int to, Record message) {
    board.connectionTo(to).send(types().codecOf(message.getClass()), message);
  }

  @Override
  public CompletableFuture<Record> requestOn(int to, Record message) {
    long timeoutNs = config().requestTimeout().toNanos();
    MessageCodec codec = types().codecOf(message.getClass());
    return board.connectionTo(to).request(codec, message, Record.class, timeoutNs);
  }
}
