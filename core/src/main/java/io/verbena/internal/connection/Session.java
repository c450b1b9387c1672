// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.MessageTooLargeException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.SendResult;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What two lives of two nodes share: lanes in both directions, with their positions. Outlives
 * links; ends when one of the two dies, says goodbye or speaks nonsense.
 */
final class Session {

  private static final int MAX_LANE_ID = 0xFFFF;

  private final Host host;
  private final Connection connection;
  private final Transport transport;
  private final long peerIncarnation;
  private final String reason;
  private final OutboundLane shared;
  private final LaneWait wait;
  private final int queueLimit;
  private final long messageMaxBytes;
  private final AtomicInteger queued = new AtomicInteger();
  private volatile boolean paused;

  // All below are guarded by this.
  private final List<OutboundLane> outbound = new ArrayList<>();
  private final InboundLanes inbound = new InboundLanes(this);
  private long id;
  private int nextLaneId = 1;
  private int lanesOpening; // counted but not yet in outbound
  private @Nullable LinkEnd end;
  private boolean reported; // ended, and what the lanes held has been told: they may be freed
  private boolean memoryFreed;
  private String lastDown = "";
  private boolean confirmed;

  private volatile @Nullable VerbenaException ended;

  Session(Connection connection, Transport transport, long id, long peerIncarnation, String reason)
      throws IOException {
    this.host = connection.host();
    this.connection = connection;
    this.transport = transport;
    this.id = id;
    this.peerIncarnation = peerIncarnation;
    this.reason = reason;
    this.queueLimit = host.config().poolQueueMessages();
    this.messageMaxBytes = host.config().messageMaxBytes();
    this.wait = new LaneWait(host.id(), connection.peer(), host.metrics());
    LaneMemory memory = transport.allocate(connection.peer(), 0, host.config().laneBytes());
    this.shared = new OutboundLane(0, memory, connection.backlog(), wait);
    outbound.add(shared);
    host.metrics().addSent(shared);
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

  String reason() {
    return reason;
  }

  OutboundLane shared() {
    return shared;
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

  /** The peer is known to hold this session too. */
  synchronized void confirm() {
    confirmed = true;
  }

  /** Whether it accepted this side's dial, announced a lane or consumed something. */
  synchronized boolean isConfirmed() {
    return confirmed || outbound.stream().anyMatch(lane -> lane.consumed() > 0);
  }

  /** Why the last link went down. */
  synchronized String lastDown() {
    return lastDown;
  }

  /** A number that changes whenever the peer consumes or is heard. */
  synchronized long progress() {
    long sum = inbound.activity();
    for (OutboundLane lane : outbound) {
      sum += memoryFreed ? 0 : lane.consumed();
    }
    return sum;
  }

  synchronized int laneCount() {
    return outbound.size();
  }

  // ---------------------------------------------------------------- links

  /** Replaces the link and lets the lanes go on over it. */
  LinkEvents attach(Link link) {
    LinkEnd former;
    LinkEnd fresh = new LinkEnd(link);
    synchronized (this) {
      former = end;
      end = fresh;
      for (OutboundLane lane : outbound) {
        lane.outlet(link.attach(lane.id(), lane.memory()));
      }
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
      end = null;
      outbound.forEach(lane -> lane.outlet(wait));
    }
    if (former != null) {
      former.link.close("the session goes on under another id");
    }
    return true;
  }

  void closeLink(String why) {
    LinkEnd current;
    synchronized (this) {
      current = end;
    }
    if (current != null) {
      current.link.close(why);
    }
  }

  /** What one link reports; deaf once it was replaced. */
  private final class LinkEnd implements LinkEvents {
    final Link link;
    final Set<Integer> announced = new HashSet<>(); // guarded by the session

    LinkEnd(Link link) {
      this.link = link;
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
          end = null;
          lastDown = why;
          outbound.forEach(lane -> lane.outlet(wait));
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
    if (end != from || ended != null) {
      throw new IOException("the link was replaced or its session is over");
    }
    confirmed = true; // lanes are announced by who holds the session
    from.announced.add(laneId);
    return inbound.announced(laneId, capacity, from.announced, memory);
  }

  // ---------------------------------------------------------------- lanes

  /** Opens an exclusive lane. */
  OutboundLane openLane() throws IOException {
    int laneId;
    synchronized (this) {
      throwIfEnded();
      int max = host.config().lanesMax();
      int lanes = outbound.size() + lanesOpening;
      if (lanes >= max) {
        throw new BackPressureException(
            lanes + " lanes to node " + peer() + " are open; lanes.max is " + max);
      }
      if (nextLaneId > MAX_LANE_ID) {
        throw new BackPressureException(
            MAX_LANE_ID
                + " senders were opened in this session with node "
                + peer()
                + ", all there are ids for; keep senders instead of opening one for each use");
      }
      laneId = nextLaneId++;
      lanesOpening++;
    }
    try {
      return openLane(laneId);
    } finally {
      synchronized (this) {
        lanesOpening--;
      }
    }
  }

  private OutboundLane openLane(int laneId) throws IOException {
    LaneMemory memory = transport.allocate(peer(), laneId, host.config().laneBytes());
    OutboundLane lane = new OutboundLane(laneId, memory, null, wait);
    synchronized (this) {
      if (ended != null) {
        memory.close();
        throwIfEnded();
      }
      outbound.add(lane);
      LinkEnd current = end;
      if (current != null) {
        lane.outlet(current.link.attach(laneId, memory));
      }
    }
    host.metrics().addSent(lane);
    return lane;
  }

  /** Closes an exclusive lane once the peer has consumed it. */
  void finishLane(OutboundLane lane) {
    if (ProgressLoop.currentThreadReceives()) {
      Thread.ofVirtual().start(() -> finishLaneOnceConsumed(lane)); // waiting is not for this one
    } else {
      finishLaneOnceConsumed(lane);
    }
  }

  private void finishLaneOnceConsumed(OutboundLane lane) {
    while (ended == null && !lane.isDrained()) {
      wait.untilConsumed(lane, lane.consumed());
    }
    synchronized (this) {
      if (!outbound.remove(lane)) {
        return;
      }
      lane.end(new PeerLostException("the sender to node " + peer() + " is closed"));
      lane.outlet().finish(lane.tail());
      host.metrics().retireSent(lane);
      lane.memory().close();
    }
  }

  // ---------------------------------------------------------------- sending

  /** Sends on a lane; waits for room unless the caller receives. */
  void send(OutboundLane lane, int kind, long correlation, MessageCodec codec, Record message) {
    int length = lengthOf(codec, message);
    try {
      if (isLarge(lane, kind, length)) {
        new LargeMessage(this, lane, kind, correlation, codec, message, length).send();
      } else if (!lane.tryWrite(kind, correlation, codec, message, length)) {
        sendSlowly(lane, kind, correlation, codec, message, length);
      }
    } catch (IllegalStateException e) {
      throwIfEnded(); // the memory was freed under the writer
      throw e;
    }
  }

  /** Sends on a lane if there is room. */
  SendResult trySend(OutboundLane lane, MessageCodec codec, Record message) {
    int length = lengthOf(codec, message);
    try {
      boolean sent =
          isLarge(lane, Frame.MESSAGE, length)
              ? new LargeMessage(this, lane, Frame.MESSAGE, 0, codec, message, length).trySend()
              : lane.tryWrite(Frame.MESSAGE, 0, codec, message, length);
      return sent ? SendResult.ACCEPTED : SendResult.FULL;
    } catch (IllegalStateException e) {
      throwIfEnded(); // the memory was freed under the writer
      throw e;
    }
  }

  private int lengthOf(MessageCodec codec, Record message) {
    int fixed = codec.fixedLength();
    int length = fixed >= 0 ? fixed : codec.length(message);
    if (length > messageMaxBytes) {
      throw new MessageTooLargeException(
          "a "
              + message.getClass().getName()
              + " of "
              + length
              + " bytes; message.max.bytes is "
              + messageMaxBytes);
    }
    return length;
  }

  static boolean isLarge(OutboundLane lane, int kind, int length) {
    return length > lane.maxFrameBytes() - Frame.HEADER_BYTES - Frame.prefixBytes(kind);
  }

  private void sendSlowly(
      OutboundLane lane,
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length) {
    if (ProgressLoop.currentThreadReceives()) {
      refuseToWaitFor(lane);
      connection.queue(kind, correlation, codec, message, length);
      return;
    }
    long seen;
    do {
      seen = lane.consumed();
      if (lane.tryWrite(kind, correlation, codec, message, length)) {
        return;
      }
      wait.untilConsumed(lane, seen);
    } while (true);
  }

  /**
   * A receiving thread that waited for another one's would wait for ever if that one waited too.
   */
  void refuseToWaitFor(OutboundLane lane) {
    if (lane != shared && ProgressLoop.currentThreadReceives()) {
      throw new BackPressureException(
          "the sender's lane to node "
              + peer()
              + " is full, and an inline handler must not wait for room in it;"
              + " use trySend or tryClaim there, or send with the node");
    }
  }

  LaneWait laneWait() {
    return wait;
  }

  /** Answers a request; if the requester or this node is gone there is nobody to tell. */
  void reply(long correlation, Record message) {
    MessageCodec codec = host.types().codecOf(message.getClass());
    try {
      send(shared, Frame.REPLY, correlation, codec, message);
    } catch (PeerLostException | NodeClosedException e) {
      host.metrics().undeliverable();
    }
  }

  /** Answers a request with an error. */
  void replyError(long correlation, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    int bytes = Math.min(words.length, shared.maxFrameBytes() / 2);
    byte[] rest = new byte[Frame.CORRELATION_BYTES + bytes];
    Frame.putLongUnaligned(MemorySegment.ofArray(rest), 0, correlation);
    System.arraycopy(words, 0, rest, Frame.CORRELATION_BYTES, bytes);
    try {
      sendRaw(Frame.header(Frame.HEADER_BYTES + rest.length, 0, Frame.ERROR, 0), rest);
    } catch (PeerLostException | NodeClosedException e) {
      host.metrics().undeliverable();
    } catch (BackPressureException e) {
      host.metrics().undeliverable(); // the requester will see its timeout
    }
  }

  private void sendRaw(long header, byte[] rest) {
    MemorySegment bytes = MemorySegment.ofArray(rest);
    long seen = shared.consumed();
    while (!shared.tryWriteRaw(header, bytes, 0, false)) {
      if (ProgressLoop.currentThreadReceives()) {
        connection.queue(header, rest);
        return;
      }
      wait.untilConsumed(shared, seen);
      seen = shared.consumed();
    }
  }

  /**
   * Says something to the peer's connection, in order with the messages; false if there is no room
   * for it or the session is over.
   */
  boolean tryControl(int what) {
    long header = Frame.header(Frame.HEADER_BYTES, what, Frame.CONTROL, 0);
    try {
      return shared.tryWriteRaw(header, MemorySegment.ofArray(new byte[0]), 0, true);
    } catch (PeerLostException | NodeClosedException e) {
      return false;
    }
  }

  /** Says a last thing on a drained shared lane; senders wait from here on. */
  boolean seal(int what) {
    return shared.seal(Frame.header(Frame.HEADER_BYTES, what, Frame.CONTROL, 0));
  }

  /** Lets senders go on. */
  void unseal() {
    shared.unseal();
    wait.wakeAll();
  }

  long consumedPosition() {
    return shared.consumed();
  }

  /** Puts as much of the backlog on the shared lane as it takes; returns what is left. */
  int moveBacklog() {
    Backlog backlog = connection.backlog();
    synchronized (backlog) {
      for (Backlog.Frame first = backlog.first(); first != null; first = backlog.first()) {
        if (!shared.tryWriteRaw(first.header(), MemorySegment.ofArray(first.rest()), 0, true)) {
          break;
        }
        backlog.removeFirst();
      }
      return backlog.size();
    }
  }

  /** Whether the peer has consumed all that was written. */
  synchronized boolean isDrained() {
    for (OutboundLane lane : outbound) {
      if (!lane.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /** A number that changes whenever anything is sent or received. */
  synchronized long activity() {
    long sum = 0;
    for (OutboundLane lane : outbound) {
      sum += lane.tail();
    }
    return sum + inbound.activity();
  }

  // ---------------------------------------------------------------- receiving

  void control(int what) {
    connection.control(this, what);
  }

  void noHandler(int typeId) {
    handlerFailed(
        typeId, new IllegalStateException("no handler for " + host.types().nameOf(typeId)));
  }

  void handlerFailed(int typeId, Throwable failure) {
    host.metrics().handlerFailed();
    host.tell(listener -> listener.handlerFailed(peer(), typeId, failure));
  }

  /** Whether handlers' queues hold as much of this peer as they may. */
  boolean isPaused() {
    if (queued.get() < queueLimit) {
      return false;
    }
    paused = true; // pairs with unqueuedOne: either we see its decrement or it sees this
    return queued.get() >= queueLimit;
  }

  void queuedOne() {
    queued.getAndIncrement();
  }

  void unqueuedOne() {
    if (queued.decrementAndGet() <= queueLimit / 2 && paused) {
      paused = false;
      transport.progress().wake();
    }
  }

  // ---------------------------------------------------------------- the end

  private void throwIfEnded() {
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
   */
  boolean end(VerbenaException cause) {
    List<OutboundLane> lanes;
    synchronized (this) {
      if (ended != null) {
        return false;
      }
      ended = cause;
      lanes = new ArrayList<>(outbound);
    }
    for (OutboundLane lane : lanes) {
      lane.end(cause);
    }
    wait.wakeAll();
    return true;
  }

  /**
   * Reports what the peer did not consume, closes the link and frees the memory as soon as no link
   * uses it. Runs user code: no lock may be held.
   */
  void reportAndFree() {
    LinkEnd last;
    List<OutboundLane> lanes;
    synchronized (this) {
      last = end;
      lanes = new ArrayList<>(outbound);
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
    for (OutboundLane lane : outbound) {
      host.metrics().retireSent(lane);
      lane.memory().close();
    }
    inbound.close();
  }
}
