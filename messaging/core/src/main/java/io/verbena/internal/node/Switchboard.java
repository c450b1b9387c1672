// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import io.verbena.PeerLostException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.RequestTable;
import io.verbena.internal.connection.SinkTable;
import io.verbena.internal.memory.RetiredMemory;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.Errands;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.Receivers;
import io.verbena.transport.Unguessable;
import io.verbena.transport.Waiters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's parts meet: connections see the others through {@link ConnectionHost}, transports
 * through {@link TransportHost}.
 */
final class Switchboard {

  private static final Logger LOG = System.getLogger("io.verbena");

  private static final int SHARED_LANES = 2;

  /** A sender at a full lane sleeps for less, and then sees that its session is over. */
  private static final long LETTING_GO_NS = 10_000_000;

  /** A round whose handlers do not wait takes less, unless the machine is busy. */
  private static final long ROUND_NS = 100_000_000;

  private final NodeConfig config;
  private final int id;
  private final long incarnation = Unguessable.id();
  private final TypeTable types;
  private final SinkTable sinks = new SinkTable();
  private final RequestTable requests;
  private final NodeMetrics metrics = new NodeMetrics();
  private final Peers peers;
  private final Listeners listeners;
  private final BackloggedConnections backlogs = new BackloggedConnections();
  private final Farewell farewell = new Farewell(backlogs);
  private final Receivers receivers = new Receivers();
  private final Connections connections;
  private final Transports transports;
  private final Companions companions;
  private final Clock clock;
  private final NodeStatus status;
  private final IdleConnections idle;
  private final RetiredMemory retired;
  private final BooleanSupplier maySendWhileClosing;
  private volatile boolean started;
  private volatile boolean closing; // read with each message: a field, no object
  private volatile boolean closed;

  /**
   * @param maySendWhileClosing whether the calling thread finishes what the node has taken
   */
  Switchboard(NodeConfig config, BooleanSupplier maySendWhileClosing) {
    this.config = config;
    this.maySendWhileClosing = maySendWhileClosing;
    this.id = config.nodeId();
    this.types = TypeTable.of(config.types());
    this.requests = new RequestTable(config.requestsMax());
    this.peers = new Peers(id, config.peers());
    this.listeners = new Listeners(id, types, receivers::changed);
    this.connections = new Connections(new ConnectionHost(this));
    this.transports = new Transports(new TransportHost(this), config);
    this.companions = new Companions(id);
    this.status = new NodeStatus(config, incarnation, metrics);
    this.idle = new IdleConnections(config.connectionsMax());
    this.retired = new RetiredMemory(oneSessionBytes(config));
    this.clock = new Clock(id, requests, this::tick);
    metrics.overflowGauge(this::overflowBytes);
    metrics.requestsGauge(requests::opened);
    metrics.transportCounters(transports::counters);
  }

  /** What all lanes take that two nodes may have to each other: a session's end is kept whole. */
  private static long oneSessionBytes(NodeConfig config) {
    int most = 2 * (SHARED_LANES + config.lanesMax());
    return most * (LaneMemory.DATA_OFFSET + config.laneBytes());
  }

  /** Starts the transports; handlers registered before miss nothing. */
  synchronized void start() {
    throwIfClosing();
    if (started) {
      throw new IllegalStateException("node " + id + " was started before");
    }
    started = true; // before the first byte: handlers may send
    companions.begin();
    try {
      transports.open();
      companions.start(new OwnIdentity(this));
      status.open(connections.all());
      clock.start();
    } catch (Throwable e) { // whatever it is: who opens a node and gets none has nothing to close
      closing = true;
      closeAfter(e);
      throw e;
    }
    LOG.log(Level.DEBUG, "node {0} is open: {1}", id, transports.names());
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (Throwable e) {
      failure.addSuppressed(e); // the first one says why
    }
  }

  private void throwIfClosing() {
    if (closing) {
      throw new NodeClosedException("node " + id + " is closed");
    }
  }

  // ---------------------------------------------------------------- the parts

  int id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  NodeConfig config() {
    return config;
  }

  TypeTable types() {
    return types;
  }

  SinkTable sinks() {
    return sinks;
  }

  RequestTable requests() {
    return requests;
  }

  NodeMetrics metrics() {
    return metrics;
  }

  Peers peers() {
    return peers;
  }

  Listeners listeners() {
    return listeners;
  }

  BackloggedConnections backlogs() {
    return backlogs;
  }

  Receivers receivers() {
    return receivers;
  }

  Transports transports() {
    return transports;
  }

  Companions companions() {
    return companions;
  }

  /** Whether the node is to close: only handlers that finish may send, and nothing is taken. */
  boolean isClosing() {
    return closing;
  }

  boolean isClosed() {
    return closed;
  }

  // ---------------------------------------------------------------- connections

  /** Forgets a peer; its connection is closed once what was accepted has left. */
  void removePeer(int peer) {
    peers.remove(peer);
    Connection connection = connections.existing(peer);
    if (connection == null) {
      companions.peerRemoved(peer);
      return;
    }
    if (ProgressLoop.currentThreadReceives()) { // the flush needs this thread
      Errands.run("verbena-" + id + "-remove-" + peer, () -> remove(connection));
    } else {
      remove(connection);
    }
  }

  private void remove(Connection connection) {
    long untilNs = System.nanoTime() + config.closeGrace().toNanos();
    farewell.flush(List.of(connection), untilNs);
    connection.stopTaking();
    connection.stopTakingRequests();
    awaitRound(connection, untilNs);
    Farewell.sayGoodbye(List.of(connection));
    connection.close(
        new PeerLostException("node " + connection.peer() + " was removed from the peers"));
    companions.peerRemoved(connection.peer());
  }

  /** Loses a peer for a reason that others know. */
  void giveUp(int peer, String reason) {
    refuseToWriter();
    peers.giveUp(peer, reason);
    Connection connection = connections.existing(peer);
    if (connection != null) {
      connection.close(new PeerLostException(reason));
    }
    companions.peerGivenUp(peer, reason);
  }

  /** The connection to a peer; made if the peer is known. */
  Connection connectionTo(int peer) {
    Connection connection = connections.existing(peer);
    return connection != null && !closing ? connection : slowConnectionTo(peer);
  }

  private Connection slowConnectionTo(int peer) {
    Peers.checkId(peer);
    if (closed || !maySendWhileClosing.getAsBoolean()) {
      throwIfClosing();
    }
    requireStarted();
    peers.check(peer);
    return connections.get(peer);
  }

  void requireStarted() {
    if (!started) {
      throw new IllegalStateException("node " + id + " is not started: call start() first");
    }
  }

  /** The connection to a node that dials this one, made if there is none. */
  Connection connectionFrom(int peer) {
    return connections.get(peer);
  }

  /** The connection to a node, null if none was made. */
  @Nullable Connection existingConnectionTo(int peer) {
    return connections.existing(peer);
  }

  Collection<Connection> connections() {
    return connections.all();
  }

  /** A session began: if there are too many connections, the idlest one goes. */
  void sessionBegan(Connection connection) {
    ProgressLoop loop = connection.progress();
    if (loop != null) {
      receivers.use(loop);
    }
    idle.began(connection, connections.all());
  }

  private long overflowBytes() {
    long bytes = 0;
    for (Connection connection : connections.all()) {
      bytes += connection.backlogBytes();
    }
    return bytes;
  }

  // ---------------------------------------------------------------- time

  /** Frees memory a while later. */
  void freeLater(long bytes, Runnable release) {
    retired.add(System.nanoTime(), bytes, release);
  }

  /** Has the clock call this soon, and again while it returns true. */
  void lookSoon(BooleanSupplier look) {
    clock.lookSoon(look);
  }

  private void tick(long nowNs) {
    retired.tick(nowNs);
    for (Connection connection : connections.all()) {
      try {
        connection.tick(nowNs);
      } catch (VerbenaException e) {
        // Its session has just ended, and the end sees to all of it. The others have their turn.
      }
    }
    backlogs.tick();
    receivers.lookForHoldUps();
    idle.tick(nowNs, connections.all());
    status.tick(nowNs, connections.all());
  }

  // ---------------------------------------------------------------- the end

  /**
   * Does nothing unless the calling thread is a codec's that writes to a lane: the end waits for
   * it.
   *
   * @throws IllegalStateException if it is one
   */
  void refuseToWriter() {
    connections.all().forEach(Connection::refuseToWriter);
  }

  /**
   * From here on only handlers may send, and peers' messages stay where they are: those peers that
   * sent them are told in the end. What the node has sent to itself is taken still.
   */
  void beginClosing() {
    synchronized (this) { // a start that is under way is over, a later one sees this
      closing = true;
    }
    connections.all().forEach(Connection::stopTaking);
  }

  /**
   * Waits until inline handlers that were at work have returned and their messages count as taken,
   * or the time is over: who sent them is not to hear that they were not.
   */
  void awaitRounds(long untilNs) {
    receivers.awaitRounds(Math.max(untilNs, System.nanoTime() + ROUND_NS));
  }

  private static void awaitRound(Connection connection, long untilNs) {
    ProgressLoop loop = connection.progress();
    if (loop != null) {
      loop.awaitRound(Math.max(untilNs, System.nanoTime() + ROUND_NS));
    }
  }

  /** The same of requests that peers' handlers have sent; none is taken from here on. */
  void stopTakingRequests(long untilNs) {
    connections.all().forEach(Connection::stopTakingRequests);
    awaitRounds(untilNs);
  }

  /** Waits until the peers have consumed everything, or the time is over. */
  void flush(long untilNs) {
    farewell.flush(connections.all(), untilNs);
  }

  /** Says goodbye and closes everything; called once. */
  void close() {
    closed = true;
    receivers.close();
    NodeClosedException cause = new NodeClosedException("node " + id + " is closed");
    try {
      Farewell.sayGoodbye(connections.all());
      for (Connection connection : connections.all()) {
        connection.close(cause);
      }
    } finally {
      release(cause);
    }
  }

  /** Nobody asks again: threads and files go whatever became of the connections. */
  private void release(NodeClosedException cause) {
    try {
      try {
        companions.close();
      } finally {
        transports.close();
      }
    } finally {
      clock.stop();
      status.close();
      failRequests(cause);
      freeRetired();
    }
  }

  /** Frees all that is left, once those have had the time to let go of it who waited at lanes. */
  private void freeRetired() {
    if (!retired.isEmpty()) {
      Waiters.pause(this, LETTING_GO_NS);
    }
    retired.close();
  }

  private void failRequests(NodeClosedException cause) {
    requests.takeIf(
        request -> true,
        request -> {
          metrics.requestFailed();
          request.completeExceptionally(cause);
        });
  }
}
