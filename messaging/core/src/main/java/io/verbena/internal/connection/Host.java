// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.ConnectionInfo;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What connections need of the node they belong to. */
public interface Host {

  /** The node's id. */
  int id();

  /** The node's configuration. */
  NodeConfig config();

  /** The registered types. */
  TypeTable types();

  /** Who handles what. */
  SinkTable sinks();

  /** The requests that wait for answers. */
  RequestTable requests();

  /** The node's counters. */
  NodeMetrics metrics();

  /** The transports to try for a peer, in order of preference. */
  List<Transport> transportsTo(int peer);

  /** Where the peer is reached; empty if nowhere but on this host; null if it is no peer. */
  @Nullable String addressOf(int peer);

  /** Why the peer was given up; null if it was not. */
  @Nullable String givenUpBecause(int peer);

  /** Whether the node is closing or closed. */
  boolean isClosed();

  /**
   * Whether the node takes no messages any more: it closes, and those that peers have still in
   * their lanes stay there.
   */
  boolean takesNoMessages();

  /** Tells every listener. */
  void tell(Consumer<NodeListener> news);

  /** Tells every listener of a handler that threw, or that there was none. */
  void handlerFailed(int peer, int typeId, Throwable failure);

  /** The connection's state changed. */
  void stateChanged(ConnectionInfo connection, String reason);

  /** The connection has frames in its backlog now. */
  void backlogged(Connection connection);

  /** Somebody is to be told of room in a lane of the connection. */
  void roomWanted(Connection connection);

  /** A future has its outcome: threads that receive look whether they wait for that. */
  void wakeReceivers();

  /** A session began: if there are too many connections, the idlest one goes. */
  void sessionBegan(Connection connection);

  /**
   * Frees memory that nobody uses any more a while later: a thread that looks at it still would be
   * interrupted by the JVM.
   */
  void freeLater(LaneMemory memory);

  /** Passes a message on for {@link io.verbena.Origin#forward}. */
  void sendOn(int to, Record message);

  /** Passes a request on for {@link io.verbena.Origin#forward}. */
  CompletableFuture<Record> requestOn(int to, Record message);
}
