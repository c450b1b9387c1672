// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.ConnectionInfo;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.PeerRefusedException;
import io.verbena.PeerUnreachableException;
import io.verbena.SendResult;
import io.verbena.UnknownPeerException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Everything this node shares with one peer: at most one {@link Session}, and what it takes to get
 * one. Lives as long as the node; made on first use, dials on demand, resumes broken links.
 */
public final class Connection {

  private final Host host;
  private final int peer;
  private final Backlog backlog;
  private final Dialler dialler;

  private volatile @Nullable Session session;

  /** Held while a link is given to a session, so that crossing dials come one after the other. */
  private final ReentrantLock establishing = new ReentrantLock();

  // Guarded by establishing.
  private final Agreements agreements;
  private final List<Loss> replaced = new ArrayList<>(); // to be told once the lock is given back

  // Guarded by this.
  private boolean resuming; // the link broke; there is time until resumeUntilNs
  private long resumeUntilNs;
  private boolean closing; // an eviction was proposed
  private int failures; // dials that failed so far; a waiting sender watches it change
  private @Nullable VerbenaException lastFailure;

  /**
   * What hung on a session that is over. User code hears of it, which may send again: it is told
   * when no lock is held.
   *
   * @param session excludes its writers already
   * @param requests taken from the table, to be failed
   * @param queued taken from the backlog: what handlers had sent
   */
  private record Loss(
      Session session,
      VerbenaException cause,
      boolean restarted,
      List<PendingRequest<?>> requests,
      List<Backlog.Frame> queued) {}

  /** Makes the connection; nothing is dialled yet. */
  public Connection(Host host, int peer) {
    this.host = host;
    this.peer = peer;
    this.backlog = new Backlog(peer, host.config().overflowBytes());
    this.dialler = new Dialler(host, this);
    this.agreements = new Agreements(this, dialler);
  }

  Host host() {
    return host;
  }

  /** The peer's id. */
  public int peer() {
    return peer;
  }

  Backlog backlog() {
    return backlog;
  }

  @Nullable Session session() {
    return session;
  }

  /** Whether there is a session. */
  public boolean hasSession() {
    return session != null;
  }

  /** Whether a dial is on its way to the peer now. */
  public boolean isDialling() {
    return dialler.isAttempting();
  }

  // ---------------------------------------------------------------- sending

  /** Sends a one-way message on the shared lane. */
  public void send(MessageCodec codec, Record message) {
    send(Frame.MESSAGE, 0, codec, message);
  }

  /** Sends a request whose answer will find {@code correlation}. */
  public void sendRequest(long correlation, MessageCodec codec, Record message) {
    send(Frame.REQUEST, correlation, codec, message);
  }

  private void send(int kind, long correlation, MessageCodec codec, Record message) {
    Session current = session;
    while (true) {
      if (current == null) {
        if (ProgressLoop.currentThreadReceives()) {
          dial();
          queue(kind, correlation, codec, message, codec.length(message));
          return;
        }
        current = awaitSession();
      }
      try {
        current.send(current.shared(), kind, correlation, codec, message);
        return;
      } catch (IdleClosedException e) {
        current = session; // closed for being idle just now: it comes back
      }
    }
  }

  /** Sends a one-way message if that needs no waiting. */
  public SendResult trySend(MessageCodec codec, Record message) {
    Session current = session;
    if (current == null) {
      dial();
      return SendResult.CONNECTING;
    }
    try {
      return current.trySend(current.shared(), codec, message);
    } catch (IdleClosedException e) {
      return SendResult.CONNECTING;
    }
  }

  /** Opens an exclusive lane; connects if needed. */
  public ExclusiveSender openSender() {
    try {
      Session current = awaitSession();
      return new ExclusiveSender(current, current.openLane());
    } catch (IOException e) {
      throw new VerbenaException("cannot open a lane to node " + peer + ": " + e.getMessage(), e);
    }
  }

  /** Queues a message of a thread that must not wait. */
  void queue(int kind, long correlation, MessageCodec codec, Record message, int length) {
    int prefix = Frame.prefixBytes(kind);
    byte[] rest = new byte[prefix + length];
    MemorySegment bytes = MemorySegment.ofArray(rest);
    if (prefix > 0) {
      Frame.putLongUnaligned(bytes, 0, correlation);
    }
    codec.write(message, bytes, prefix, length);
    queue(Frame.header(Frame.HEADER_BYTES + rest.length, codec.typeId(), kind, 0), rest);
  }

  void queue(long header, byte[] rest) {
    queue(List.of(new Backlog.Frame(header, rest)));
  }

  void queue(List<Backlog.Frame> message) {
    backlog.add(message);
    host.metrics().overflowMessage();
    host.backlogged(this);
    dialForBacklog();
  }

  /** What was queued while the connection was closed for being idle wants it back. */
  private void dialForBacklog() {
    if (session == null && !backlog.isEmpty() && !host.isClosed()) {
      dialler.start();
    }
  }

  /** Puts queued frames on the lane if there is room; returns how many are left. */
  public int moveBacklog() {
    Session current = session;
    if (backlog.isEmpty() || current == null) {
      return backlog.isEmpty() ? 0 : backlog.size();
    }
    try {
      return current.moveBacklog();
    } catch (VerbenaException e) {
      return 0; // the session is over; its end deals with the backlog
    }
  }

  /** The bytes queued by handlers. */
  public long backlogBytes() {
    return backlog.bytes();
  }

  /** The receiving loop of the transport in use; null if there is none. */
  public @Nullable ProgressLoop progress() {
    Session current = session;
    return current == null ? null : current.transport().progress();
  }

  // ---------------------------------------------------------------- connecting

  /** The session; made if there is none. */
  private Session awaitSession() {
    if (ProgressLoop.currentThreadReceives() && session == null) {
      throw new PeerUnreachableException(
          "node " + peer + " is not connected and a receiving thread must not wait for it");
    }
    boolean interrupted = false;
    try {
      int seen = failures();
      dial();
      synchronized (this) {
        while (session == null) {
          throwIfFailedSince(seen);
          try {
            wait(100);
          } catch (InterruptedException e) {
            interrupted = true;
          }
          dialler.start(); // a dial that ended between the looks
        }
        return session;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized int failures() {
    return failures;
  }

  private void throwIfFailedSince(int seen) {
    if (host.isClosed()) {
      throw new NodeClosedException("node " + host.id() + " is closed");
    }
    VerbenaException failure = lastFailure;
    if (failures != seen && failure != null) {
      throw Failures.again(failure);
    }
  }

  private void dial() {
    if (host.isClosed()) {
      throw new NodeClosedException("node " + host.id() + " is closed");
    }
    if (host.addressOf(peer) == null) {
      throw new UnknownPeerException("node " + peer + " is not a peer any more");
    }
    dialler.start();
  }

  /** Why a dial had to be given up, as the peer or the wire said it. */
  VerbenaException dialFailure(String text, boolean refused) {
    return refused ? new PeerRefusedException(text) : new PeerUnreachableException(text);
  }

  /** A dial has ended without a link. */
  void dialFailed(VerbenaException failure) {
    synchronized (this) {
      if (session != null) {
        return; // it is resuming; its own time limit decides
      }
      failures++;
      lastFailure = failure;
      notifyAll();
    }
    discard(backlog.clear());
    fail(takeRequests(), failure);
  }

  /** Whether there is anything left to dial for. */
  synchronized boolean wantsLink() {
    Session current = session;
    return current == null || !current.isLinked();
  }

  /** How long to go on dialling, by {@link System#nanoTime}. */
  synchronized long dialUntilNs() {
    return session == null
        ? System.nanoTime() + host.config().connectTimeout().toNanos()
        : resumeUntilNs;
  }

  /** The id of the session held with this life of the peer, 0 if none. */
  public long sessionWith(long peerIncarnation) {
    Session current = session;
    return current != null && current.peerIncarnation() == peerIncarnation ? current.id() : 0;
  }

  /** A link is up and its session agreed; see {@link io.verbena.transport.TransportContext}. */
  public LinkEvents established(
      long peerIncarnation, long held, long sessionId, Link link, String reason)
      throws RefusedException {
    Session current;
    LinkEvents events;
    establishing.lock();
    try {
      Agreements.Terms terms = new Agreements.Terms(peerIncarnation, held, sessionId);
      current = agreements.agreed(session, terms, link, reason);
      if (dialler.isDiallingThread()) {
        current.confirm(); // the far side took the session before it accepted
      }
      events = current.attach(link);
      synchronized (this) {
        if (current.ended() == null) {
          session = current;
        }
        closing = false;
        resuming = false;
        notifyAll();
      }
    } finally {
      List<Loss> losses = List.copyOf(replaced);
      replaced.clear();
      establishing.unlock();
      losses.forEach(this::tell);
    }
    refuseIfClosed(current, events);
    host.backlogged(this);
    host.stateChanged(info(current), reason);
    Session linked = current;
    host.tell(listener -> listener.connected(info(linked)));
    host.sessionBegan(this);
    return events;
  }

  /** The node may have closed meanwhile: either it saw the session, or this sees that it closed. */
  private void refuseIfClosed(Session of, LinkEvents events) throws RefusedException {
    if (!host.isClosed()) {
      return;
    }
    String why = "node " + host.id() + " is closed";
    sessionOver(of, new NodeClosedException(why));
    events.down(why);
    throw new RefusedException(RefusedException.Reason.CLOSING, why);
  }

  /**
   * Ends a session in whose place another one begins; senders wait until its lanes are attached.
   */
  void replaced(Session former, VerbenaException cause, boolean restarted) {
    synchronized (this) {
      session = null;
    }
    Loss loss = cutOff(former, cause, restarted);
    if (loss != null) {
      replaced.add(loss);
    }
  }

  /** A link of this session is down; it is resumed unless the session is over. */
  void linkDown(Session of, String why) {
    if (of.ended() != null || session != of) {
      return;
    }
    if (isClosing()) {
      evicted(of); // agreed, or the peer is gone: nothing was under way in either case
      return;
    }
    synchronized (this) {
      resuming = !of.isLinked(); // the peer may have made the next link already
      resumeUntilNs = System.nanoTime() + host.config().linkTimeout().toNanos();
    }
    host.stateChanged(info(of), why);
    host.tell(listener -> listener.disconnected(info(of), why));
    if (!host.isClosed()) {
      dialler.start();
    }
  }

  /** Ends a session whose link could not be made again in time. Called by the node's clock. */
  public void checkResume(long nowNs) {
    Session current = session;
    if (current == null || current.isLinked()) {
      return;
    }
    boolean late;
    synchronized (this) {
      late = resuming && nowNs - resumeUntilNs >= 0;
    }
    if (late && !current.isLinked()) {
      sessionOver(
          current,
          new PeerLostException(
              "node "
                  + peer
                  + " did not come back within link.timeout ("
                  + host.config().linkTimeout().toMillis()
                  + " ms)"));
    } else if (!host.isClosed()) {
      dialler.start();
    }
  }

  // ---------------------------------------------------------------- the end

  /** Ends a session. */
  void sessionOver(Session over, VerbenaException cause) {
    synchronized (this) {
      if (session == over) {
        session = null;
        closing = false;
      }
    }
    Loss loss = cutOff(over, cause, false);
    if (loss != null) {
      tell(loss);
    }
  }

  /** Excludes whoever uses a session and takes what hangs on it; null if it was over already. */
  private @Nullable Loss cutOff(Session over, VerbenaException cause, boolean restarted) {
    if (!over.end(cause)) {
      return null;
    }
    return new Loss(over, cause, restarted, takeRequests(), backlog.clear());
  }

  private void tell(Loss loss) {
    loss.session.reportAndFree();
    host.metrics().connectionLost();
    fail(loss.requests, loss.cause);
    String why = String.valueOf(loss.cause.getMessage());
    host.stateChanged(info(loss.session), why);
    host.tell(
        listener -> {
          if (loss.restarted) {
            listener.restarted(peer);
          } else {
            listener.lost(peer, why);
          }
        });
    discard(loss.queued); // its successor must not get the rest of a large message
  }

  private List<PendingRequest<?>> takeRequests() {
    List<PendingRequest<?>> taken = new ArrayList<>();
    host.requests().takeIf(request -> request.connection() == this, taken::add);
    return taken;
  }

  private void fail(List<PendingRequest<?>> requests, VerbenaException cause) {
    for (PendingRequest<?> request : requests) {
      host.metrics().requestFailed();
      request.completeExceptionally(Failures.again(cause));
    }
  }

  private void discard(List<Backlog.Frame> queued) {
    Undelivered undelivered = new Undelivered(host, peer);
    for (Backlog.Frame frame : queued) {
      undelivered.frame(MemorySegment.ofArray(frame.rest()), 0, frame.header());
    }
  }

  /** Whether everything accepted has been consumed. */
  public boolean isFlushed() {
    Session current = session;
    return current == null ? backlog.isEmpty() : current.isDrained();
  }

  /** Says goodbye and ends the session; what was accepted should have been flushed. */
  public void close(VerbenaException cause) {
    Session current = session;
    if (current != null) {
      sayGoodbye(current);
      sessionOver(current, cause);
    }
    discard(backlog.clear());
    fail(takeRequests(), cause);
    synchronized (this) {
      notifyAll();
    }
  }

  private static void sayGoodbye(Session current) {
    try {
      if (current.isLinked() && current.tryControl(Control.GOODBYE)) {
        // Read soon or never: the peer also notices that the link is gone.
        long until = System.nanoTime() + 100_000_000;
        while (!current.isDrained() && current.isLinked() && System.nanoTime() - until < 0) {
          current.laneWait().untilConsumed(current.shared(), current.shared().consumed());
        }
      }
    } catch (VerbenaException e) {
      // The session ended meanwhile: nothing is left to say.
    }
  }

  // ---------------------------------------------------------------- eviction

  /** A number that changes with every byte sent or received. */
  public long activity() {
    Session current = session;
    return current == null ? 0 : current.activity();
  }

  /** Proposes to the peer to close this idle connection; senders wait for what comes of it. */
  public void proposeClose() {
    Session current = session;
    if (current == null || !current.isLinked() || !isIdle(current)) {
      return;
    }
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
    }
    if (!current.seal(Control.CLOSE)) {
      notClosing();
    }
  }

  private synchronized boolean isClosing() {
    return closing;
  }

  private synchronized void notClosing() {
    closing = false;
  }

  private boolean isIdle(Session current) {
    return current.laneCount() == 1
        && current.isDrained()
        && backlog.isEmpty()
        && !host.requests().hasAny(this);
  }

  /** What the peer's connection says, in order with its messages. */
  void control(Session from, int what) {
    if (from.ended() != null) {
      return; // the rest of what was read in one go
    }
    switch (what) {
      case Control.GOODBYE ->
          sessionOver(from, new PeerLostException("node " + peer + " said goodbye"));
      case Control.CLOSE -> closeProposed(from);
      case Control.CLOSE_AGREED -> closeAgreed(from);
      case Control.CLOSE_REFUSED -> {
        from.unseal();
        notClosing();
      }
      default -> from.broken("unknown control message");
    }
  }

  private void closeAgreed(Session from) {
    if (isClosing()) {
      evicted(from);
    } else {
      from.broken("agreed to a close that nobody proposed");
    }
  }

  private void closeProposed(Session from) {
    if (isClosing() || (isIdle(from) && from.seal(Control.CLOSE_AGREED))) {
      evicted(from); // if both proposed, both have sealed their lanes: nothing is under way
    } else {
      from.tryControl(Control.CLOSE_REFUSED);
    }
  }

  private void evicted(Session from) {
    host.metrics().connectionEvicted();
    synchronized (this) {
      if (session == from) {
        session = null;
        closing = false;
      }
    }
    if (from.end(new IdleClosedException(peer))) {
      from.reportAndFree();
      host.stateChanged(info(from), "idle");
    }
    dialForBacklog(); // either this sees what is queued, or queueing sees that the session is gone
  }

  // ---------------------------------------------------------------- looking

  /** The connection's state now. */
  public ConnectionInfo info() {
    return info(session);
  }

  private ConnectionInfo info(@Nullable Session of) {
    if (of == null) {
      return new ConnectionInfo(peer, ConnectionInfo.State.CONNECTING, "", "", 0, 0, 0);
    }
    return new ConnectionInfo(
        peer,
        stateOf(of),
        of.transport().name(),
        of.reason(),
        of.shared().tail(),
        of.consumedPosition(),
        of.laneCount());
  }

  private synchronized ConnectionInfo.State stateOf(Session of) {
    if (of.ended() != null) {
      return ConnectionInfo.State.CLOSED;
    }
    if (!of.isLinked()) {
      return ConnectionInfo.State.RESUMING;
    }
    return closing ? ConnectionInfo.State.CLOSING : ConnectionInfo.State.CONNECTED;
  }
}
