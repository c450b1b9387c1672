// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.loopback;

import io.verbena.transport.Agreement;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.Held;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.Unguessable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes between nodes of one JVM: each reads the other's lanes in place. Also every node's
 * way to itself. Two nodes find each other in a static table, by cluster and id.
 */
public final class LoopbackTransport implements Transport {

  /** The value of the key {@code transport} that chooses it. */
  public static final String NAME = "loopback";

  private static final byte[] NO_ATTACHMENT = {};
  private static final Map<String, LoopbackTransport> NODES = new ConcurrentHashMap<>();

  private final TransportContext context;
  private final LoopbackLoop loop;
  private final Map<Integer, ReentrantLock> linking = new ConcurrentHashMap<>(); // by higher id
  private boolean started; // guarded by this
  private volatile boolean registered;
  private volatile boolean closed;

  /** Makes one for a node; its thread starts with the first link. */
  public LoopbackTransport(TransportContext context) {
    this.context = context;
    this.loop = new LoopbackLoop(context);
  }

  /** Lets other nodes of this JVM find this one. */
  public void register() {
    LoopbackTransport former = NODES.putIfAbsent(key(context.cluster(), context.nodeId()), this);
    if (former != null) {
      throw new io.verbena.VerbenaException(
          "node "
              + context.nodeId()
              + " of cluster '"
              + context.cluster()
              + "' is open in this JVM already; close it or choose another id");
    }
    registered = true;
  }

  /** Whether other nodes are reached this way. */
  public boolean isRegistered() {
    return registered;
  }

  private static String key(String cluster, int node) {
    return cluster + '/' + node;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean canReach(int peer, String address) {
    return peer == context.nodeId() || NODES.containsKey(key(context.cluster(), peer));
  }

  @Override
  public boolean readsInPlace() {
    return true;
  }

  @Override
  public LoopbackLoop progress() {
    return loop;
  }

  @Override
  public LaneMemory allocate(int peer, int laneId, long capacity) throws IOException {
    long bytes = LaneMemory.DATA_OFFSET + capacity;
    try {
      // Automatic scope: both ends use this memory, whoever is the last; nothing else frees it.
      return new LaneMemory(Arena.ofAuto().allocate(bytes, 64), () -> {});
    } catch (OutOfMemoryError e) {
      throw new IOException("there is no memory for a lane of " + bytes + " bytes", e);
    }
  }

  @Override
  public void connect(int peer, String address, Duration timeout) throws IOException {
    if (peer == context.nodeId()) {
      connectToSelf();
      return;
    }
    LoopbackTransport other = NODES.get(key(context.cluster(), peer));
    if (other == null || other.closed) {
      throw new IOException(
          "node " + peer + " of cluster '" + context.cluster() + "' is not open in this JVM");
    }
    admit(other);
    // One at a time: of two dials that cross, the second finds the link the first has made.
    ReentrantLock linking = linkingWith(other);
    linking.lock();
    try {
      link(other);
    } finally {
      linking.unlock();
    }
  }

  /** One for each pair of nodes: user code that hears of a new link may connect to other nodes. */
  private ReentrantLock linkingWith(LoopbackTransport other) {
    boolean mine = context.nodeId() < other.context.nodeId();
    LoopbackTransport lower = mine ? this : other;
    int higher = mine ? other.context.nodeId() : context.nodeId();
    return lower.linking.computeIfAbsent(higher, id -> new ReentrantLock());
  }

  /** What a handshake would find out. */
  private void admit(LoopbackTransport other) throws RefusedException {
    try {
      checkKey(other);
      checkVersions(other);
      checkTypes(other);
    } catch (RefusedException e) {
      String theirs =
          e.reason() == Reason.TYPES
              ? other.context.typeConflict(context.typeDescription())
              : e.getMessage();
      other.context.rejected(e.reason(), String.valueOf(theirs));
      throw e;
    }
  }

  private void checkTypes(LoopbackTransport other) throws RefusedException {
    String theirs = typesOf(other.context);
    String conflict = theirs == null ? null : context.typeConflict(theirs);
    if (conflict != null) {
      throw new RefusedException(Reason.TYPES, conflict);
    }
  }

  /** What another node has for types, null if the same as this one. */
  private @Nullable String typesOf(TransportContext peer) {
    return context.typeFingerprint() == peer.typeFingerprint() ? null : peer.typeDescription();
  }

  private void checkVersions(LoopbackTransport other) throws RefusedException {
    if (context.versions().common(other.context.versions()) == 0) {
      throw new RefusedException(
          Reason.PROTOCOL,
          "node "
              + context.nodeId()
              + " speaks "
              + context.versions()
              + " of the protocol, node "
              + other.context.nodeId()
              + " "
              + other.context.versions());
    }
  }

  private void checkKey(LoopbackTransport other) throws RefusedException {
    ClusterKey mine = context.clusterKey();
    ClusterKey theirs = other.context.clusterKey();
    byte[] nonce = Unguessable.bytes(32);
    boolean same =
        mine == null || theirs == null ? mine == theirs : mine.accepts(theirs.proof(nonce), nonce);
    if (!same) {
      throw new RefusedException(
          Reason.KEY,
          "nodes "
              + context.nodeId()
              + " and "
              + other.context.nodeId()
              + " do not have the same cluster key");
    }
  }

  private void link(LoopbackTransport other) throws IOException {
    Held mine = context.held(other.context.nodeId(), other.context.incarnation());
    if (mine.isLinked()) {
      throw new RefusedException(
          Reason.CROSSED, "node " + other.context.nodeId() + " has dialled this node meanwhile");
    }
    Held theirs = other.context.held(context.nodeId(), context.incarnation());
    boolean same = mine.session() != 0 && mine.session() == theirs.session();
    long session = same ? mine.session() : Unguessable.id();
    LoopbackLink here = new LoopbackLink(this, "loopback to node " + other.context.nodeId());
    LoopbackLink there = new LoopbackLink(other, "loopback to node " + context.nodeId());
    here.join(there);
    there.join(here);
    try {
      other.open(there, context, theirs, session);
      open(here, other.context, mine, session);
    } catch (RefusedException e) {
      here.close(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void open(LoopbackLink link, TransportContext peer, Held held, long session)
      throws RefusedException {
    startLoop();
    int version = context.versions().common(peer.versions());
    Agreement agreement =
        new Agreement(
            peer.nodeId(),
            peer.incarnation(),
            held,
            session,
            version,
            typesOf(peer),
            NO_ATTACHMENT);
    link.start(context.established(agreement, link, "both nodes are in this JVM"));
  }

  private void connectToSelf() throws IOException {
    LoopbackLink link = new LoopbackLink(this, "loopback to itself");
    link.join(link);
    Held held = context.held(context.nodeId(), context.incarnation());
    open(link, context, held, held.session() != 0 ? held.session() : Unguessable.id());
  }

  private synchronized void startLoop() throws RefusedException {
    if (closed) {
      throw new RefusedException(Reason.CLOSING, "node " + context.nodeId() + " is closing");
    }
    if (!started) {
      started = true;
      loop.start("verbena-" + context.nodeId() + "-loopback");
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    if (registered) {
      NODES.remove(key(context.cluster(), context.nodeId()), this);
    }
    loop.closeAll("node " + context.nodeId() + " is closed");
    loop.stop(loop::readNews);
  }
}
