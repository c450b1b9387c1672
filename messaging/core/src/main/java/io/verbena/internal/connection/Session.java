// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import io.verbena.PeerLostException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.PeerTypes;
import io.verbena.internal.connection.Closing.IdleClosedException;
import io.verbena.internal.lane.ProtocolException;
import io.verbena.transport.Agreement;
import io.verbena.transport.Errands;
import io.verbena.transport.Held;
import io.verbena.transport.InboundLane;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What two lives of two nodes share: lanes in both directions, with their positions. Outlives
 * links; ends when one of the two dies, says goodbye or speaks nonsense.
 */
final class Session {

  /** The version of the protocol since which there is an inner lane, and lanes may move. */
  static final int MOVING_LANES = 2;

  /** The id of the inner lane, where there is one. */
  private static final int INNER = 1;

  private final Host host;
  private final Connection connection;
  private final Transport transport;
  private final long peerIncarnation;
  private final int version;
  private final PeerTypes peerTypes;
  private final String reason;
  private final SharedLane shared;
  private final SharedLane inner;
  private final LaneWait wait;
  private final Answers answers = new Answers(this);
  private final Closing closing = new Closing(this);
  private final HandlerQueue queued;
  private final HandlerQueue queuedInner; // by the inner lane
  private volatile boolean paused;
  private volatile boolean takesNoRequests;

  private final OutboundLanes outbound;

  // All below are guarded by this.
  private boolean takesNothing;
  private final InboundLanes inbound = new InboundLanes(this);
  private long id;
  private @Nullable LinkEnd end;
  private boolean reported; // ended, and what the lanes held has been told: they may be freed
  private boolean memoryFreed;
  private String lastDown = "";
  private long unlinkedNs = System.nanoTime(); // since when there is no link, if there is none
  private boolean confirmed;

  private volatile @Nullable VerbenaException ended;

  Session(
      Connection connection,
      Transport transport,
      Agreement agreement,
      PeerTypes peerTypes,
      String reason)
      throws IOException {
    this.host = connection.host();
    this.connection = connection;
    this.transport = transport;
    this.id = agreement.session();
    this.peerIncarnation = agreement.peerIncarnation();
    this.version = agreement.version();
    this.peerTypes = peerTypes;
    this.reason = reason;
    NodeConfig config = host.config();
    this.queued = new HandlerQueue(config.poolQueueMessages(), config.poolQueueBytes());
    this.queuedInner = new HandlerQueue(config.requestsMax(), config.poolQueueBytes());
    this.wait = new LaneWait(host.id(), connection.peer(), host.metrics(), connection::linkWanted);
    boolean alone = version < MOVING_LANES;
    this.outbound = new OutboundLanes(this, alone ? 1 : 2, !alone && transport.growsLanes());
    this.shared = outbound.shared().getFirst();
    this.inner = outbound.shared().getLast();
    if (alone) {
      connection.joinBacklogs();
    }
    try {
      shared.moves().begin();
    } catch (Throwable e) {
      outbound.close(); // nobody else knows of this session, to whom its lanes count
      throw e;
    }
  }

  Host host() {
    return host;
  }

  Connection connection() {
    return connection;
  }

  int peer() {
    return connection.peer();
  }

  Transport transport() {
    return transport;
  }

  long peerIncarnation() {
    return peerIncarnation;
  }

  /** The version of the protocol that both sides speak; the same over all links. */
  int version() {
    return version;
  }

  /** What the peer's version of the program writes and understands. */
  PeerTypes peerTypes() {
    return peerTypes;
  }

  String reason() {
    return reason;
  }

  /** The lane that all threads send on. */
  SharedLane shared() {
    return shared;
  }

  /**
   * The lane of what a handler on the far side may be waiting for: answers, and requests of
   * handlers. It is never held up by messages that wait for handlers, and opened when it is first
   * asked for. With a peer that does not know of it, and where there is no memory for it, the
   * shared lane.
   */
  SharedLane openInner() {
    return inner.ring() != null || inner.moves().grow() ? inner : shared;
  }

  /** Whether a lane of the peer is its inner one. */
  boolean isInner(int laneId) {
    return laneId == INNER && inner != shared;
  }

  OutboundLanes outbound() {
    return outbound;
  }

  /** How many lanes of each side are there for all threads; their ids come first. */
  int sharedCount() {
    return outbound.shared().size();
  }

  /** The link that is up, null if none is. */
  synchronized @Nullable Link link() {
    LinkEnd current = end;
    return current == null ? null : current.link;
  }

  LaneWait laneWait() {
    return wait;
  }

  Answers answers() {
    return answers;
  }

  Closing closing() {
    return closing;
  }

  synchronized long id() {
    return id;
  }

  @Nullable VerbenaException ended() {
    return ended;
  }

  synchronized boolean isLinked() {
    return end != null;
  }

  /** Its id, and the link it has now. */
  synchronized Held held() {
    LinkEnd current = end;
    return new Held(id, current == null ? 0 : current.number);
  }

  /** The peer is known to hold this session too. */
  synchronized void confirm() {
    confirmed = true;
  }

  /** Whether it accepted this side's dial, announced a lane or consumed something. */
  synchronized boolean isConfirmed() {
    return confirmed || outbound.consumed() > 0;
  }

  /** Since when it has no link, by {@link System#nanoTime}; meaningless while it has one. */
  synchronized long unlinkedNs() {
    return unlinkedNs;
  }

  /** Why the last link went down. */
  synchronized String lastDown() {
    return lastDown;
  }

  // ---------------------------------------------------------------- links

  /**
   * Replaces the link and lets the lanes go on over it.
   *
   * @param number tells it from all other links with the peer
   */
  LinkEvents attach(Link link, long number) {
    LinkEnd former;
    LinkEnd fresh = new LinkEnd(link, number);
    synchronized (this) {
      former = end;
      end = fresh;
      outbound.attach(link);
    }
    if (former != null) {
      former.link.close("replaced by a new link");
    }
    return fresh;
  }

  /**
   * Goes on under a new id, from position 0, if the peer is not known to hold this session: it
   * never learned that its dial was accepted. The former link is not heard any more.
   */
  boolean tryRename(long newId) {
    LinkEnd former;
    synchronized (this) {
      if (isConfirmed()) {
        return false;
      }
      id = newId;
      former = end;
      unlinked();
    }
    if (former != null) {
      former.link.close("the session goes on under another id");
    }
    return true;
  }

  /** Under the lock: there is no link from here on. */
  private void unlinked() {
    end = null;
    unlinkedNs = System.nanoTime();
    outbound.detach(wait);
  }

  /** What one link reports; deaf once it was replaced. */
  private final class LinkEnd implements LinkEvents {
    final Link link;
    final long number;
    final Set<Integer> announced = new HashSet<>(); // guarded by the session

    LinkEnd(Link link, long number) {
      this.link = link;
      this.number = number;
    }

    @Override
    public InboundLane inbound(int laneId, long capacity, MemorySource memory) throws IOException {
      try {
        return openInbound(this, laneId, capacity, memory);
      } catch (InboundLanes.BadLaneException e) {
        broken(String.valueOf(e.getMessage()));
        throw e;
      }
    }

    @Override
    public void finished(int laneId, long finalPosition) {
      synchronized (Session.this) {
        inbound.finished(laneId, finalPosition);
      }
    }

    @Override
    public void broken(String why) {
      Session.this.broken(why);
    }

    @Override
    public void down(String why) {
      boolean wasCurrent;
      synchronized (Session.this) {
        wasCurrent = end == this;
        if (wasCurrent) {
          lastDown = why;
          unlinked();
        }
      }
      wait.wakeAll();
      if (wasCurrent) {
        freeIfOver();
        connection.linkDown(Session.this, why);
      }
    }
  }

  private synchronized InboundLane openInbound(
      LinkEnd from, int laneId, long capacity, LinkEvents.MemorySource memory) throws IOException {
    if (end != from) {
      throw new IOException("the link was replaced by a new one");
    }
    VerbenaException over = ended;
    if (over != null) {
      throw new IOException(over.getMessage()); // the link's next words are the far side's reason
    }
    confirmed = true; // lanes are announced by who holds the session
    from.announced.add(laneId);
    return inbound.announced(laneId, capacity, from.announced, memory);
  }

  // ---------------------------------------------------------------- lanes

  /**
   * Opens an exclusive lane.
   *
   * @throws IdleClosedException if the session is being closed: there will be another one
   */
  ExclusiveLane openLane() throws IOException {
    synchronized (this) {
      throwIfEnded();
      outbound.reserve();
    }
    try {
      if (shared.isSealed()) { // either this sees the seal or who seals has seen what is reserved
        throw new IdleClosedException(peer());
      }
      return outbound.openExclusive();
    } catch (Throwable e) {
      synchronized (this) {
        outbound.unreserve();
      }
      throw e;
    }
  }

  /** Closes an exclusive lane once the peer has consumed it. */
  void finishLane(ExclusiveLane lane) {
    if (ProgressLoop.currentThreadReceives()) {
      Errands.run("verbena-finish", () -> finishLaneOnceConsumed(lane)); // this one must not wait
    } else {
      finishLaneOnceConsumed(lane);
    }
  }

  private void finishLaneOnceConsumed(ExclusiveLane lane) {
    while (ended == null && !lane.isDrained()) {
      wait.untilConsumed(lane, lane.consumed());
    }
    synchronized (this) {
      outbound.finish(lane);
    }
  }

  /** Puts what handlers queued on the shared lanes; returns how many frames are left. */
  int moveBacklog() {
    int left = 0;
    for (SharedLane lane : outbound.shared()) {
      left += lane.moveBacklog();
    }
    return left;
  }

  /** Looks which rings can be given back. Called by the node's clock. */
  void tick(long nowNs) {
    for (SharedLane lane : outbound.shared()) {
      lane.moves().closeDrained();
      lane.shrinkIfIdle(nowNs);
    }
  }

  /** How many exclusive lanes are open, those included that are being opened. */
  int exclusiveCount() {
    return outbound.count();
  }

  /** Whether the peer has consumed all that was written. */
  synchronized boolean isDrained() {
    return outbound.areDrained();
  }

  /** A number that changes whenever the peer consumes or is heard. */
  synchronized long activity() {
    return inbound.activity() + (memoryFreed ? 0 : outbound.consumed());
  }

  /** What the session takes outside of the heap, its link included. */
  synchronized long memoryBytes() {
    if (memoryFreed) {
      return 0;
    }
    LinkEnd current = end;
    long ofLink = current == null ? 0 : current.link.memoryBytes();
    return ofLink + outbound.memoryBytes() + inbound.memoryBytes();
  }

  // ---------------------------------------------------------------- between the connections

  /**
   * Says something to the peer's connection, in order with the messages; false if there is no room
   * for it or the session is over.
   */
  boolean tryControl(int what) {
    return tryControl(() -> shared, what);
  }

  /** As {@link #tryControl(int)}, but no message of this side's holds it up on the other side. */
  boolean tryInnerControl(int what) {
    return tryControl(this::openInner, what);
  }

  private static boolean tryControl(Supplier<SharedLane> lane, int what) {
    try {
      return lane.get().tryControl(what);
    } catch (PeerLostException | NodeClosedException e) {
      return false;
    }
  }

  /** Says goodbye to a peer that is linked, which learns before what was consumed of its own. */
  void sayGoodbye() {
    Link up = link();
    if (up != null) {
      up.reportConsumed();
      tryControl(Control.GOODBYE);
    }
  }

  /**
   * Says a last thing once all is consumed; senders wait from here on.
   *
   * @param condition looked at while nobody can write; must be true
   */
  boolean seal(int what, BooleanSupplier condition) {
    return shared.seal(what, inner == shared ? condition : () -> inner.seal(condition));
  }

  /** Lets senders go on. */
  void unseal() {
    outbound.shared().forEach(SharedLane::unseal);
    wait.wakeAll();
  }

  // ---------------------------------------------------------------- receiving

  void control(int what) {
    connection.control(this, what);
  }

  /** The peer's lane ends, and what it carried goes on in another one. */
  synchronized void moved(InboundStream stream, int toLane) throws ProtocolException {
    if (version < MOVING_LANES) {
      throw new ProtocolException("a frame of a kind that version " + version + " does not have");
    }
    inbound.moved(stream, toLane);
  }

  /** A one-way message of a type that the peer's version of the program does not know. */
  void undeliverable(Record message) {
    new Undelivered(host, peer()).message(host.types().codecOf(message.getClass()), message);
  }

  void noHandler(int typeId) {
    handlerFailed(typeId, new IllegalStateException(whyNoHandler(typeId)));
  }

  /** Why nobody takes messages of a type, for people on both sides. */
  String whyNoHandler(int typeId) {
    String name = host.types().nameOf(typeId);
    return name == null
        ? "type " + typeId + " is not registered at node " + host.id()
        : "no handler for type " + typeId + ", " + name + "; add it with handle";
  }

  void handlerFailed(int typeId, Throwable failure) {
    host.metrics().handlerFailed();
    host.handlerFailed(peer(), typeId, failure);
  }

  /**
   * Takes no messages any more, as if handlers' queues were full for good. What the peer's handlers
   * ask is still taken: handlers here may wait for them.
   */
  void stopTaking() {
    synchronized (this) {
      if (takesNothing) {
        return;
      }
      takesNothing = true;
    }
    queued.fillForGood();
  }

  /** Takes no requests of the peer's handlers any more either. */
  void stopTakingRequests() {
    takesNoRequests = true;
  }

  /** Whether what comes on the inner lane for handlers stays where it is. */
  boolean takesNoRequests() {
    return takesNoRequests;
  }

  /** Whether handlers' queues hold as much of this peer as they may. */
  boolean isPaused() {
    if (!queued.isFull()) {
      return false;
    }
    paused = true; // pairs with unqueuedOne: either we see what it removes or it sees this
    return queued.isFull();
  }

  /** Whether as many requests of the peer's handlers wait for handlers here as may. */
  boolean isInnerFull() {
    return queuedInner.isFull();
  }

  void queuedOne(boolean byInner, int length) {
    (byInner ? queuedInner : queued).add(length);
  }

  void unqueuedOne(boolean byInner, int length) {
    if (byInner) {
      queuedInner.remove(length);
    } else if (queued.remove(length) && paused) {
      paused = false;
      transport.progress().wake();
    }
  }

  // ---------------------------------------------------------------- the end

  void throwIfEnded() {
    VerbenaException cause = ended;
    if (cause != null) {
      throw Failures.again(cause);
    }
  }

  /** The peer broke the protocol. */
  void broken(String why) {
    host.metrics().sessionBroken(why);
    connection.sessionOver(
        this, new PeerLostException("session with node " + peer() + " closed: " + why));
  }

  /**
   * Ends the session for good: its writers are excluded, whoever waits learns of it. Called by the
   * connection; {@link #reportAndFree} must follow.
   *
   * @return false if it was over already
   * @throws IllegalStateException if a codec asks for it that writes to one of the lanes; nothing
   *     has ended then
   */
  boolean end(VerbenaException cause) {
    refuseToWriter();
    List<OutboundLane> lanes;
    synchronized (this) {
      if (ended != null) {
        return false;
      }
      ended = cause;
      lanes = outbound.all();
    }
    for (OutboundLane lane : lanes) {
      lane.end(cause);
    }
    wait.wakeAll();
    return true;
  }

  /** Who ends the session waits for writers and then frees what they write to. */
  void refuseToWriter() {
    List<OutboundLane> lanes;
    synchronized (this) {
      lanes = outbound.all();
    }
    if (lanes.stream().anyMatch(OutboundLane::isWrittenByCaller)) {
      throw new IllegalStateException(
          "this thread is writing to a lane; a codec must not close anything while it writes");
    }
  }

  /**
   * Reports what the peer did not consume, closes the link and gives the memory up as soon as no
   * link uses it. Runs user code: no lock may be held.
   */
  void reportAndFree() {
    LinkEnd last;
    List<OutboundLane> lanes;
    synchronized (this) {
      last = end;
      lanes = outbound.all();
    }
    String why = String.valueOf(Objects.requireNonNull(ended).getMessage());
    Undelivered undelivered = new Undelivered(host, peer());
    lanes.forEach(undelivered::report);
    synchronized (this) {
      reported = true;
    }
    if (last != null) {
      last.link.close(why);
    }
    freeIfOver();
  }

  private synchronized void freeIfOver() {
    if (!reported || end != null || memoryFreed) {
      return;
    }
    memoryFreed = true;
    inbound.close();
    outbound.close(); // last, as its memory is to be kept the longest: users' threads wait there
  }
}
