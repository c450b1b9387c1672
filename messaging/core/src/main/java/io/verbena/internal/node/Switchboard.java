// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConnectionInfo;
import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.PeerLostException;
import io.verbena.RequestTimeoutException;
import io.verbena.UnknownPeerException;
import io.verbena.internal.codec.TypeTable;
import io.verbena.internal.config.PeerList;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.Host;
import io.verbena.internal.connection.PendingRequest;
import io.verbena.internal.connection.RequestTable;
import io.verbena.internal.connection.SinkTable;
import io.verbena.internal.event.ConnectionStateEvent;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.Agreement;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.Unguessable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a node's parts meet: who the peers are, which connections and transports there are. */
final class Switchboard implements Host, TransportContext {

  private static final Logger LOG = System.getLogger("io.verbena");
  private static final int MAX_NODE_ID = 0xFFFF;
  private static final long GOODBYE_NS = 100_000_000; // a peer that reads needs far less
  private static final long GLANCE_NS = 100_000;

  private final NodeConfig config;
  private final int id;
  private final long incarnation = Unguessable.id();
  private final TypeTable types;
  private final SinkTable sinks = new SinkTable();
  private final RequestTable requests;
  private final NodeMetrics metrics = new NodeMetrics();
  private final Map<Integer, String> peers = new ConcurrentHashMap<>();
  private final Connections connections;
  private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong untoldFailures = new AtomicLong();
  private final Transports transports;
  private final Clock clock;
  private final IdleConnections idle;
  private final Set<Connection> backlogged = ConcurrentHashMap.newKeySet();
  private volatile boolean hasBacklog;
  private volatile boolean closing; // read with each message: a field, no object
  private volatile boolean closed;

  Switchboard(NodeConfig config) {
    this.config = config;
    this.id = config.nodeId();
    this.types = TypeTable.of(config.types());
    this.requests = new RequestTable(config.requestsMax());
    this.peers.putAll(config.peers());
    this.connections = new Connections(this);
    this.transports = new Transports(this);
    this.idle = new IdleConnections(config.connectionsMax());
    this.clock = new Clock(id, requests::size, this::tick);
    metrics.overflowGauge(this::overflowBytes);
    metrics.requestsGauge(requests::opened);
    metrics.transportCounters(transports::counters);
  }

  /** Starts the transports; handlers registered before miss nothing. */
  void start() {
    try {
      transports.open(config);
      clock.start();
    } catch (RuntimeException e) {
      closed = true;
      transports.close();
      throw e;
    }
    LOG.log(Level.DEBUG, "node {0} is open: {1}", id, transports.names());
  }

  // ---------------------------------------------------------------- peers

  void addPeer(int peer, String address) {
    checkId(peer);
    peers.put(peer, PeerList.checkedAddress(peer, address));
  }

  void removePeer(int peer) {
    checkId(peer);
    peers.remove(peer);
    Connection connection = connections.existing(peer);
    if (connection == null) {
      return;
    }
    if (ProgressLoop.currentThreadReceives()) { // the flush needs this thread
      Thread.ofVirtual().name("verbena-" + id + "-remove-" + peer).start(() -> remove(connection));
    } else {
      remove(connection);
    }
  }

  private void remove(Connection connection) {
    flush(List.of(connection), config.closeGrace().toNanos());
    sayGoodbye(List.of(connection));
    connection.close(
        new PeerLostException("node " + connection.peer() + " was removed from the peers"));
  }

  private static void checkId(int node) {
    if (node < 0 || node > MAX_NODE_ID) {
      throw new UnknownPeerException("node id " + node + "; ids are 0 to 65535");
    }
  }

  void addListener(NodeListener listener) {
    listeners.add(listener);
  }

  /** The connection to a peer; made if the peer is known. */
  Connection connectionTo(int peer) {
    Connection connection = connections.existing(peer);
    return connection != null && !closing ? connection : slowConnectionTo(peer);
  }

  private Connection slowConnectionTo(int peer) {
    checkId(peer);
    if (closing) {
      throw new NodeClosedException("node " + id + " is closed");
    }
    if (peer != id && !peers.containsKey(peer)) {
      throw new UnknownPeerException(
          "node "
              + peer
              + " is no peer of node "
              + id
              + "; add it with addPeer or the key 'peers'");
    }
    return connections.get(peer);
  }

  Collection<Connection> connections() {
    return connections.all();
  }

  // ---------------------------------------------------------------- Host

  @Override
  public int id() {
    return id;
  }

  @Override
  public NodeConfig config() {
    return config;
  }

  @Override
  public TypeTable types() {
    return types;
  }

  @Override
  public SinkTable sinks() {
    return sinks;
  }

  @Override
  public RequestTable requests() {
    return requests;
  }

  @Override
  public NodeMetrics metrics() {
    return metrics;
  }

  @Override
  public List<Transport> transportsTo(int peer) {
    String address = addressOf(peer);
    return address == null ? List.of() : transports.reaching(peer, address);
  }

  @Override
  public @Nullable String addressOf(int peer) {
    return peer == id ? "" : peers.get(peer);
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void tell(Consumer<NodeListener> news) {
    for (NodeListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException | Error e) { // a listener's failure is its own
        LOG.log(Level.WARNING, "a listener of node " + id + " failed", e);
      }
    }
  }

  @Override
  public void handlerFailed(int peer, int typeId, Throwable failure) {
    if (listeners.isEmpty() && Long.bitCount(untoldFailures.incrementAndGet()) == 1) {
      LOG.log(
          Level.WARNING,
          "the handler of "
              + types.nameOf(typeId)
              + " at node "
              + id
              + " failed on a message of node "
              + peer
              + "; failure "
              + untoldFailures
              + " that no NodeListener is told of, of many ever fewer are logged",
          failure);
    }
    tell(listener -> listener.handlerFailed(peer, typeId, failure));
  }

  @Override
  public void stateChanged(ConnectionInfo connection, String reason) {
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
    backlogged.add(connection);
    hasBacklog = true;
    moveBacklog();
  }

  @Override
  public void sessionBegan(Connection connection) {
    idle.began(connection, connections.all());
  }

  @Override
  public void sendOn(int to, Record message) {
    connectionTo(to).send(types.codecOf(message.getClass()), message);
  }

  @Override
  public CompletableFuture<Record> requestOn(int to, Record message) {
    long timeoutNs = config.requestTimeout().toNanos();
    Connection connection = connectionTo(to);
    PendingRequest<Record> request =
        new PendingRequest<>(requests, connection, Record.class, System.nanoTime() + timeoutNs);
    requests.add(request);
    requestOpened();
    try {
      connection.sendRequest(request.id(), types.codecOf(message.getClass()), message);
    } catch (Throwable e) {
      requests.remove(request);
      throw e;
    }
    return request;
  }

  // ---------------------------------------------------------------- TransportContext

  @Override
  public int nodeId() {
    return id;
  }

  @Override
  public long incarnation() {
    return incarnation;
  }

  @Override
  public String cluster() {
    return config.cluster();
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return config.clusterKey();
  }

  @Override
  public long typeFingerprint() {
    return types.fingerprint();
  }

  @Override
  public String typeDescription() {
    return types.description();
  }

  @Override
  public String typeDifference(String peerDescription) {
    return TypeTable.firstDifference(types.description(), peerDescription);
  }

  @Override
  public String setting(ConfigKey key) {
    return config.setting(key);
  }

  @Override
  public long idleSpinNs() {
    return config.idleSpin().toNanos();
  }

  @Override
  public boolean isDialling(int peer) {
    Connection connection = connections.existing(peer);
    return connection != null && connection.isDialling();
  }

  @Override
  public long sessionWith(int peer, long peerIncarnation) {
    Connection connection = connections.existing(peer);
    return connection == null ? 0 : connection.sessionWith(peerIncarnation);
  }

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    if (closed) {
      throw new RefusedException(RefusedException.Reason.CLOSING, "node " + id + " is closing");
    }
    return connections.get(agreement.peer()).established(agreement, link, reason);
  }

  @Override
  public void rejected(RefusedException.Reason reason, String text) {
    metrics.rejected(reason.name());
    LOG.log(Level.DEBUG, "node {0} refused a link: {1}: {2}", id, reason, text);
  }

  @Override
  public int moveBacklog() {
    if (!hasBacklog) {
      return 0;
    }
    int left = 0;
    for (Connection connection : backlogged) {
      int rest = connection.moveBacklog();
      if (rest == 0) {
        backlogged.remove(connection);
        rest =
            connection.moveBacklog(); // queued between the two: it may have joined before we left
        if (rest > 0) {
          backlogged.add(connection);
        }
      }
      left += rest;
    }
    hasBacklog = !backlogged.isEmpty();
    return left;
  }

  private long overflowBytes() {
    long bytes = 0;
    for (Connection connection : connections.all()) {
      bytes += connection.backlogBytes();
    }
    return bytes;
  }

  // ---------------------------------------------------------------- time

  void requestOpened() {
    clock.requestOpened();
  }

  static RequestTimeoutException timedOut(int peer, long timeoutNs) {
    return new RequestTimeoutException(
        "no reply from node " + peer + " within " + Duration.ofNanos(timeoutNs).toMillis() + " ms");
  }

  private void tick(long nowNs) {
    requests.takeIf(
        request -> nowNs - request.deadlineNs() >= 0,
        request -> {
          metrics.requestTimedOut();
          request.completeExceptionally(
              timedOut(request.connection().peer(), config.requestTimeout().toNanos()));
        });
    for (Connection connection : connections.all()) {
      connection.tick(nowNs);
    }
    if (!backlogged.isEmpty()) {
      hasBacklog = true; // one that was added while moveBacklog looked
    }
    idle.tick(nowNs, connections.all());
  }

  // ---------------------------------------------------------------- the end

  /** Closes everything; called once. */
  void close(Duration grace) {
    closing = true;
    flush(connections.all(), grace.toNanos());
    closed = true;
    sayGoodbye(connections.all());
    NodeClosedException cause = new NodeClosedException("node " + id + " is closed");
    for (Connection connection : connections.all()) {
      connection.close(cause);
    }
    transports.close();
    clock.stop();
    requests.takeIf(
        request -> true,
        request -> {
          metrics.requestFailed();
          request.completeExceptionally(cause);
        });
  }

  /** Says goodbye to all and gives them a moment to read it. */
  private static void sayGoodbye(Collection<Connection> which) {
    which.forEach(Connection::sayGoodbye);
    long until = System.nanoTime() + GOODBYE_NS;
    while (which.stream().anyMatch(Connection::isReading) && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(GLANCE_NS);
    }
  }

  private void flush(Collection<Connection> which, long graceNs) {
    long until = System.nanoTime() + graceNs;
    for (Connection connection : which) {
      while (!connection.isFlushed() && System.nanoTime() - until < 0) {
        moveBacklog();
        LockSupport.parkNanos(GLANCE_NS);
      }
    }
  }
}
