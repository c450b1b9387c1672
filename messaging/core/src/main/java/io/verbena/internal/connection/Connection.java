// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.ConnectionInfo;
import io.verbena.MessageTooLargeException;
import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.PeerRefusedException;
import io.verbena.PeerUnreachableException;
import io.verbena.SendResult;
import io.verbena.UnknownPeerException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.connection.Closing.IdleClosedException;
import io.verbena.internal.connection.OutboundLane.UnknownToPeerException;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.ProgressLoop;
import io.verbena.transport.RefusedException;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything this node shares with one peer: at most one {@link Session}, and what it takes to get
 * one. Lives as long as the node; made on first use, dials on demand, resumes broken links.
 */
public final class Connection {

  private static final Logger LOG = System.getLogger("io.verbena");

  /** How long one who waits for a session sleeps before it looks whether it is dialled. */
  private static final long GLANCE_MS = 100;

  /** So much later than its limit a dial may end and tell why it failed. */
  private static final long LATE_DIAL_NS = 1_000_000_000;

  private final Host host;
  private final int peer;
  private final Backlogs backlogs;
  private final RoomWishes wishes;
  private final Dialler dialler;

  private volatile @Nullable Session session;
  private final AtomicInteger contests = new AtomicInteger(); // that newcomers have lost

  /** Held while a link is given to a session, so that crossing dials come one after the other. */
  private final ReentrantLock establishing = new ReentrantLock();

  // Guarded by establishing.
  private final Agreements agreements;
  private long links; // how many there have been
  private final List<Loss> replaced = new ArrayList<>(); // to be told once the lock is given back

  /** Whether somebody has asked for a session since the last one was over. */
  private volatile boolean asked;

  // Guarded by this.
  private final UnreachableNews news;
  private int waiting; // senders that wait for a session
  private volatile long wantedNs = System.nanoTime(); // when the latest of them began
  private long queuedNs = wantedNs; // since when what is in the backlog waits for a session
  private int failures; // dials that failed so far; a waiting sender watches it change
  private @Nullable VerbenaException lastFailure;

  /** Makes the connection; nothing is dialled yet. */
  public Connection(Host host, int peer) {
    this.host = host;
    this.peer = peer;
    this.backlogs = new Backlogs(host, peer, this::backlogged);
    this.wishes = new RoomWishes(host::wakeReceivers);
    this.dialler = new Dialler(host, this);
    this.agreements = new Agreements(this, dialler);
    this.news = new UnreachableNews(connectTimeoutNs());
  }

  Host host() {
    return host;
  }

  private long connectTimeoutNs() {
    return host.config().connectTimeout().toNanos();
  }

  /** The peer's id. */
  public int peer() {
    return peer;
  }

  /** What handlers queue for a shared lane. */
  Backlog backlogOf(int laneId) {
    return backlogs.of(laneId);
  }

  @Nullable Session session() {
    return session;
  }

  /** Whether there is a session. */
  public boolean hasSession() {
    return session != null;
  }

  /** The peer has answered the dial that is on its way. */
  public void dialAnswered() {
    establishing.lock(); // what it claims to hold next no dial of the peer's changes unseen
    try {
      dialler.answered();
    } finally {
      establishing.unlock();
    }
  }

  /** Whether a dial is on its way that the peer has answered a moment ago. */
  public boolean isDialling() {
    return goesFirst(System.nanoTime());
  }

  /** The same at another moment. */
  boolean goesFirst(long nowNs) {
    return dialler.goesFirst(nowNs);
  }

  // ---------------------------------------------------------------- sending

  /** Sends a one-way message on the shared lane. */
  public void send(MessageCodec codec, Record message) {
    send(Frame.MESSAGE, 0, codec, message, null);
  }

  /**
   * Sends a request; waits for a connection and for room no longer than its time allows.
   *
   * @return has its outcome already if it could not be sent
   */
  public <R extends Record> PendingRequest<R> request(
      MessageCodec codec, Record message, Class<R> replyType, long timeoutNs) {
    PendingRequest<R> request = new PendingRequest<>(host.requests(), this, replyType, timeoutNs);
    try {
      if (session == null) {
        request.heldUpBy(unconnected());
      }
      host.requests().add(request);
      if (timeoutNs > 0 || !request.isOver("as it was given no time")) {
        send(Frame.REQUEST, request.id(), codec, message, request);
        request.sent();
      }
    } catch (PeerLostException | NodeClosedException | BackPressureException e) {
      request.fail(e);
    } catch (Throwable e) {
      request.cancel(false);
      throw e;
    }
    return request;
  }

  private void send(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      @Nullable PendingRequest<?> request) {
    Session current = session;
    while (true) {
      if (current == null) {
        if (ProgressLoop.currentThreadReceives()) {
          wantForBacklog();
          backlogs.queue(kind, correlation, codec, message);
          return;
        }
        current = awaitSession(request);
        if (current == null) {
          return;
        }
      }
      try {
        laneOf(current, kind).send(kind, correlation, codec, message, request);
        return;
      } catch (UnknownToPeerException e) {
        if (kind != Frame.MESSAGE) {
          throw e;
        }
        current.undeliverable(message);
        return;
      } catch (IdleClosedException e) {
        current = session; // closed for being idle just now: it comes back
      }
    }
  }

  private static SharedLane laneOf(Session session, int kind) {
    return kind == Frame.REQUEST && Handling.isUnderWay() ? session.openInner() : session.shared();
  }

  /** Sends a one-way message if that needs no waiting. */
  public SendResult trySend(MessageCodec codec, Record message) {
    Session current = session;
    if (current == null) {
      dial();
      return SendResult.CONNECTING;
    }
    try {
      SendResult result = current.shared().trySend(codec, message);
      if (result == SendResult.FULL) {
        linkWanted(); // nobody waits who would say so
      }
      return result;
    } catch (UnknownToPeerException e) {
      current.undeliverable(message);
      return SendResult.ACCEPTED;
    } catch (IdleClosedException e) {
      dial();
      return SendResult.CONNECTING;
    }
  }

  /**
   * A future of room for a one-way message.
   *
   * @throws MessageTooLargeException if a lane never has room for all of it
   */
  public CompletableFuture<Void> whenRoom(MessageCodec codec, Record message) {
    long messageMaxBytes = host.config().messageMaxBytes();
    int length = OutboundLane.bodyBytes(codec, message, messageMaxBytes);
    OutboundLane.checkFitsAtOnce(codec, length, host.config().laneBytes());
    return whenRoom(() -> hasRoom(length));
  }

  private boolean hasRoom(int length) {
    Session current = session;
    try {
      return current != null && current.shared().hasRoom(length);
    } catch (VerbenaException e) {
      return false; // the session is over; its end deals with those who wait
    }
  }

  /**
   * A future of room.
   *
   * @param hasRoom any thread; throws what has ended the lane
   */
  CompletableFuture<Void> whenRoom(BooleanSupplier hasRoom) {
    RoomWishes.Wish wish = new RoomWishes.Wish(hasRoom);
    if (!wish.isOver()) {
      wishes.add(wish);
      try {
        lookAfterWishes();
      } catch (VerbenaException e) { // whoever ended that may have come before the wish
        wishes.refuse(wish, e);
      }
    }
    return wish;
  }

  private void lookAfterWishes() {
    Session current = session;
    if (current == null) {
      wantForBacklog();
    } else {
      VerbenaException cause = current.ended();
      if (cause != null && !(cause instanceof IdleClosedException)) {
        throw Failures.again(cause);
      }
      dial(); // unless there is a link
    }
    host.roomWanted(this);
    ProgressLoop loop = progress();
    if (loop != null) {
      loop.wake(); // it looks from here on, and does not sleep for long
    }
  }

  /** Sends a message that is encoded already. */
  public void send(EncodedMessage message) {
    Session current = session;
    while (true) {
      if (current == null) {
        if (ProgressLoop.currentThreadReceives()) {
          wantForBacklog();
          backlogs.queue(message);
          return;
        }
        current = Objects.requireNonNull(awaitSession(null));
      }
      try {
        current.shared().send(message);
        return;
      } catch (UnknownToPeerException e) {
        current.undeliverable(message.message());
        return;
      } catch (IdleClosedException e) {
        current = session; // closed for being idle just now: it comes back
      }
    }
  }

  /** Sends a message that is encoded already if that needs no waiting; false if it does. */
  public boolean trySend(EncodedMessage message) {
    Session current = session;
    if (current == null) {
      dial();
      return false;
    }
    try {
      return current.shared().trySend(message);
    } catch (UnknownToPeerException e) {
      current.undeliverable(message.message());
      return true;
    } catch (IdleClosedException e) {
      return false;
    }
  }

  /** Opens an exclusive lane; connects if needed. */
  public ExclusiveLane openSender() {
    while (true) {
      Session current = Objects.requireNonNull(awaitSession(null));
      try {
        return current.openLane();
      } catch (IdleClosedException e) {
        awaitClosed(current);
      } catch (IOException e) {
        throw new VerbenaException("cannot open a lane to node " + peer + ": " + e.getMessage(), e);
      }
    }
  }

  /** Waits for a bit of the time that a session takes to be closed. */
  private void awaitClosed(Session closing) {
    if (ProgressLoop.currentThreadReceives()) {
      throw new PeerUnreachableException(
          "the idle connection to node "
              + peer
              + " is being closed and a receiving thread must not wait for the next one");
    }
    linkWanted();
    closing.laneWait().untilConsumed(closing.shared(), closing.shared().consumed());
  }

  private void backlogged() {
    host.metrics().overflowMessage();
    host.backlogged(this);
    linkWanted();
  }

  /** What is queued for lanes that the next session does not have is not left behind. */
  void joinBacklogs() {
    backlogs.join();
  }

  /**
   * Puts queued frames on the lane if there is room, and tells those who wait for some; returns how
   * many are left of both.
   */
  public int moveBacklog() {
    return moveQueued() + wishes.fulfil();
  }

  /** Puts queued frames on the lane if there is room; returns how many are left. */
  public int moveQueued() {
    Session current = session;
    if (current == null || backlogs.isEmpty()) {
      return backlogs.size();
    }
    try {
      return current.moveBacklog();
    } catch (VerbenaException e) {
      return 0; // the session is over; its end deals with the backlog
    }
  }

  /** The bytes queued by handlers. */
  public long backlogBytes() {
    return backlogs.bytes();
  }

  /** The receiving loop of the transport in use; null if there is none. */
  public @Nullable ProgressLoop progress() {
    Session current = session;
    return current == null ? null : current.transport().progress();
  }

  // ---------------------------------------------------------------- connecting

  /**
   * The session; made if there is none.
   *
   * @param request what is to be sent, if it is one
   * @return null only if the request is over
   */
  private @Nullable Session awaitSession(@Nullable PendingRequest<?> request) {
    if (ProgressLoop.currentThreadReceives() && session == null) {
      throw new PeerUnreachableException(
          "node " + peer + " is not connected and a receiving thread must not wait for it");
    }
    boolean interrupted = false;
    try {
      long sinceNs = System.nanoTime();
      int seen = want(sinceNs);
      synchronized (this) {
        waiting++;
        try {
          while (session == null) {
            throwIfFailedSince(seen);
            throwIfLate(sinceNs);
            if (request != null && request.isOver(unconnected())) {
              return null;
            }
            dialler.start(); // unless that goes on already
            try {
              wait(glanceMs(request));
            } catch (InterruptedException e) {
              interrupted = true;
              if (request != null) {
                Thread.currentThread().interrupt(); // it is over by that
              }
            }
          }
          return session;
        } finally {
          waiting--;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static long glanceMs(@Nullable PendingRequest<?> request) {
    return request == null ? GLANCE_MS : Math.clamp(request.leftNs() / 1_000_000 + 1, 1, GLANCE_MS);
  }

  private String unconnected() {
    String why = dialler.lastFailure();
    return "as there was no connection" + (why.isEmpty() ? "" : ": " + why);
  }

  /**
   * Somebody waits for a session from now on, or leaves something in the backlog: a dial that is
   * under way goes on for as long as one that begins now. Returns how many dials have failed.
   */
  private int want(long sinceNs) {
    int seen;
    synchronized (this) {
      if (sinceNs - wantedNs > 0) { // else a later one was faster
        wantedNs = sinceNs;
      }
      seen = failures;
    }
    dial();
    return seen;
  }

  /** What joins others in the backlog does not prolong their wait: they are told of in time. */
  private void wantForBacklog() {
    if (!backlogs.isEmpty()) {
      dial();
      return;
    }
    long nowNs = System.nanoTime();
    synchronized (this) {
      queuedNs = nowNs;
    }
    want(nowNs);
  }

  /**
   * The end of a dial is not what the caller waits for where others who came later have prolonged
   * it, or where it hangs: a name service keeps to no limit.
   */
  private void throwIfLate(long sinceNs) {
    boolean isProlonged = wantedNs - sinceNs > 0;
    long limitNs = connectTimeoutNs() + (isProlonged ? 0 : LATE_DIAL_NS);
    if (System.nanoTime() - sinceNs >= limitNs) {
      throw new PeerUnreachableException(notInTime());
    }
  }

  /** Why the time was not enough. */
  private String notInTime() {
    String why = dialler.whyNotLinked();
    return "no connection to node %d within connect.timeout, which is %d ms%s"
        .formatted(
            peer, host.config().connectTimeout().toMillis(), why.isEmpty() ? "" : ": " + why);
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

  /** Somebody has something to send and there is no link: dials, unless that goes on already. */
  void linkWanted() {
    if (!host.isClosed()) {
      if (session == null) {
        asked = true;
      }
      dialler.start();
    }
  }

  private void dial() {
    if (host.isClosed()) {
      throw new NodeClosedException("node " + host.id() + " is closed");
    }
    if (host.addressOf(peer) == null) {
      String why = host.givenUpBecause(peer);
      throw why == null
          ? new UnknownPeerException("node " + peer + " is not a peer any more")
          : new PeerLostException(why);
    }
    asked = true;
    dialler.start();
  }

  /** Why a dial had to be given up, as the peer or the wire said it. */
  VerbenaException dialFailure(String text, boolean refused) {
    return refused ? new PeerRefusedException(text) : new PeerUnreachableException(text);
  }

  /** A dial has ended with a link, which may be down again by now: that nobody dialled for. */
  void linkMade() {
    Session current = session;
    if (current != null) {
      dialUnlessIdle(current);
    } else if (isSomebodyWaiting()) {
      linkWanted();
    }
  }

  private synchronized boolean isSomebodyWaiting() {
    return waiting > 0 || isAnyLeft();
  }

  /** Whether handlers have queued something, or somebody is to be told of room. */
  private boolean isAnyLeft() {
    return !backlogs.isEmpty() || !wishes.isEmpty();
  }

  /**
   * A dial has ended without a link.
   *
   * @param sinceNs when it began
   */
  void dialFailed(VerbenaException failure, long sinceNs, Runnable letNextBegin) {
    List<Backlog.Queued> unsent = List.of();
    List<PendingRequest<?>> unanswered = List.of();
    List<RoomWishes.Wish> unfulfilled = List.of();
    String why = String.valueOf(failure.getMessage());
    // A dial also fails because the node has closed, or given the peer up, under way.
    VerbenaException unwanted = unwanted();
    VerbenaException cause = unwanted == null ? failure : unwanted;
    boolean isNews;
    synchronized (this) {
      // Those who waited for this dial are told before they could begin the next one, whose time
      // would be half over for whoever comes then.
      letNextBegin.run();
      if (session != null) {
        return; // it is resuming; its own time limit decides
      }
      long nowNs = System.nanoTime();
      if (prolonged(sinceNs, nowNs) != nowNs && !(failure instanceof PeerRefusedException)) {
        isNews = asked && news.ofDialUnderWay(sinceNs, nowNs);
        dialler.start(); // somebody came while it failed, whose time to wait is not over
      } else {
        isNews = asked && news.dialFailed(why, sinceNs, nowNs);
        failures++;
        lastFailure = cause;
        unsent = clearBacklog(); // while no session can begin, which would send some of it
        unanswered = takeRequests();
        unfulfilled = wishes.take();
        notifyAll();
      }
    }
    Loss.discard(this, unsent);
    Loss.fail(host, unanswered, cause);
    RoomWishes.fail(host, unfulfilled, cause);
    if (isNews) {
      tellUnreachable(why);
    }
  }

  private void tellUnreachable(String why) {
    if (!host.isClosed() && host.addressOf(peer) != null) {
      host.metrics().dialFailed();
      host.tell(listener -> listener.unreachable(peer, why));
    }
  }

  /**
   * Tells what is overdue where there is no session. The end of a dial is not what is waited for:
   * others may prolong it, and it may hang. Nor is it told on the dial's thread, as listeners may
   * send, which waits for the dial.
   */
  private void tellOverdue(long nowNs) {
    if (!asked && !isAnyLeft()) {
      return;
    }
    List<Backlog.Queued> unsent = List.of();
    List<RoomWishes.Wish> unfulfilled = List.of();
    String why;
    synchronized (this) {
      if (session != null) {
        return;
      }
      if (nowNs - queuedNs >= connectTimeoutNs()) {
        unsent = clearBacklog(); // while no session can begin, which would send some of it
        unfulfilled = wishes.take();
      }
      why = unreachableNow(nowNs);
    }
    if (!unsent.isEmpty()) {
      discard(unsent, dialFailure(notInTime(), false));
    }
    if (!unfulfilled.isEmpty()) {
      RoomWishes.fail(host, unfulfilled, dialFailure(notInTime(), false));
    }
    if (why != null) {
      tellUnreachable(why);
    }
  }

  /** Under the lock: why the peer is not reached, if that is to be told now. */
  private @Nullable String unreachableNow(long nowNs) {
    String why = news.ofLastDial(nowNs);
    Dialler.Dial dial = dialler.dial();
    boolean goesOn = why == null && dial != null && news.ofDialUnderWay(dial.sinceNs, nowNs);
    return goesOn ? notInTime() : why;
  }

  /** Reports what handlers have queued, and fails the requests among it. */
  private void discard(List<Backlog.Queued> unsent, VerbenaException cause) {
    List<PendingRequest<?>> unanswered = new ArrayList<>();
    for (Backlog.Queued frame : unsent) {
      PendingRequest<?> request = host.requests().take(frame.requestId(), this);
      if (request != null) {
        unanswered.add(request);
      }
    }
    Loss.discard(this, unsent);
    Loss.fail(host, unanswered, cause);
  }

  /**
   * Takes what handlers have queued. What joins from here on has all of its time, though its thread
   * may have seen that others wait already.
   */
  private synchronized List<Backlog.Queued> clearBacklog() {
    queuedNs = System.nanoTime();
    return backlogs.clear();
  }

  /** What carries the session there is; null if there is none. */
  @Nullable Transport carrier() {
    Session current = session;
    return current == null ? null : current.transport();
  }

  /** Whether there is anything left to dial for. */
  boolean wantsLink() {
    Session current = session;
    return current == null || !current.isLinked();
  }

  /** How long a dial goes on that begins now, by {@link System#nanoTime}. */
  long dialUntilNs() {
    Session current = session;
    return current == null
        ? System.nanoTime() + connectTimeoutNs()
        : current.unlinkedNs() + host.config().linkTimeout().toNanos();
  }

  /** Until when somebody waits for a dial who came after it had begun; else when it would end. */
  synchronized long prolonged(long sinceNs, long untilNs) {
    boolean isQueuedSince = isAnyLeft() && queuedNs - wantedNs > 0;
    long wanted = isQueuedSince ? queuedNs : wantedNs;
    long wantedUntilNs = wanted + connectTimeoutNs();
    boolean joined = session == null && wanted - sinceNs > 0;
    return joined && wantedUntilNs - untilNs > 0 ? wantedUntilNs : untilNs;
  }

  /** What is held with this life of the peer now. */
  public Held heldWith(long peerIncarnation) {
    Session current = session;
    return current != null && current.peerIncarnation() == peerIncarnation
        ? current.held()
        : Held.NOTHING;
  }

  /**
   * Another life of the peer asks for a link; see {@link io.verbena.transport.TransportContext}.
   */
  public void contest(long newIncarnation) throws RefusedException {
    Session current = session;
    Link up =
        current == null || current.peerIncarnation() == newIncarnation ? null : current.link();
    if (up == null || !up.peerAnswers()) {
      return;
    }
    String why =
        "another process is node "
            + peer
            + " and answers ("
            + up.describe()
            + "); end it, or give each process an id of its own";
    if (Integer.bitCount(contests.incrementAndGet()) == 1) { // a newcomer may try for long
      LOG.log(
          Level.WARNING, "node {0} lets no second node in: {1}", String.valueOf(host.id()), why);
    }
    throw new RefusedException(RefusedException.Reason.IDENTITY, why);
  }

  /** A link is up and its session agreed; see {@link io.verbena.transport.TransportContext}. */
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    VerbenaException unwanted = unwanted();
    if (unwanted != null) {
      throw refused(unwanted);
    }
    Session current;
    LinkEvents events;
    establishing.lock();
    try {
      current = agreements.agreed(session, agreement, link, reason);
      if (dialler.isDiallingThread()) {
        current.confirm(); // the far side took the session before it accepted
      }
      events = current.attach(link, ++links);
      synchronized (this) {
        if (current.ended() == null) {
          session = current;
        }
        notifyAll();
      }
    } finally {
      List<Loss> losses = List.copyOf(replaced);
      replaced.clear();
      establishing.unlock();
      losses.forEach(loss -> loss.tell(this));
    }
    endUnlessWanted(current, events);
    if (host.takesNoMessages()) { // either the node saw the session, or this sees that it closes
      stopTaking(current);
    }
    host.backlogged(this);
    wishes.fulfil(); // no loop may be awake
    host.stateChanged(info(current), reason);
    Session linked = current;
    host.tell(listener -> listener.connected(info(linked)));
    host.sessionBegan(this);
    return events;
  }

  /**
   * The node may have closed, or given the peer up, meanwhile: either it saw the session, or this
   * sees that.
   */
  private void endUnlessWanted(Session of, LinkEvents events) throws RefusedException {
    VerbenaException cause = unwanted();
    if (cause != null) {
      sessionOver(of, cause);
      RefusedException refused = refused(cause);
      events.down(String.valueOf(refused.getMessage()));
      throw refused;
    }
  }

  private static RefusedException refused(VerbenaException cause) {
    return new RefusedException(
        RefusedException.Reason.CLOSING, String.valueOf(cause.getMessage()));
  }

  /** Why there is to be no session; null if there may be one. */
  private @Nullable VerbenaException unwanted() {
    if (host.isClosed()) {
      return new NodeClosedException("node " + host.id() + " is closed");
    }
    String why = host.givenUpBecause(peer);
    return why == null ? null : new PeerLostException(why);
  }

  /**
   * Ends a session in whose place another one begins; senders wait until its lanes are attached.
   */
  void replaced(Session former, VerbenaException cause, Loss.Kind kind) {
    forget(former);
    boolean evicted = kind == Loss.Kind.LOST && former.closing().isUnderWay();
    Loss loss = evicted ? evict(former) : cutOff(former, cause, kind);
    if (loss != null) {
      replaced.add(loss);
    }
  }

  /** A link of this session is down; it is resumed unless the session is over. */
  void linkDown(Session of, String why) {
    if (of.ended() != null || session != of) {
      return;
    }
    if (of.closing().isAgreed()) {
      evicted(of);
      return;
    }
    host.stateChanged(info(of), why);
    host.tell(listener -> listener.disconnected(info(of), why));
    dialUnlessIdle(of);
  }

  /** A session that was to be closed needs no link before somebody wants to send. */
  private void dialUnlessIdle(Session of) {
    if (!of.closing().isUnderWay() || isAnyLeft()) {
      linkWanted();
    }
  }

  /** Looks what is due. Called by the node's clock. */
  public void tick(long nowNs) {
    Session current = session;
    if (current == null) {
      tellOverdue(nowNs);
      return;
    }
    current.tick(nowNs);
    current.closing().refuseIfOwed();
    long limitNs = host.config().linkTimeout().toNanos();
    if (current.isLinked()) {
      if (current.closing().isOverdue(nowNs, limitNs)) {
        evicted(current);
      }
    } else if (nowNs - current.unlinkedNs() < limitNs) {
      dialUnlessIdle(current);
    } else if (!current.isLinked()) { // none came between the looks
      cameNotBack(current);
    }
  }

  private void cameNotBack(Session over) {
    if (over.closing().isUnderWay()) {
      evicted(over);
      return;
    }
    String down = over.lastDown();
    String why = dialler.lastFailure();
    sessionOver(
        over,
        new PeerLostException(
            "node "
                + peer
                + " did not come back within link.timeout ("
                + host.config().linkTimeout().toMillis()
                + " ms)"
                + (why.isEmpty() ? "" : ": " + why)
                + (down.isEmpty() ? "" : "; the last link went down: " + down)));
  }

  // ---------------------------------------------------------------- the end

  /** Ends a session. */
  void sessionOver(Session over, VerbenaException cause) {
    // Ended first: nobody takes it for the living, and none begins before its requests are taken.
    Loss loss = cutOff(over, cause, Loss.Kind.LOST);
    forget(over);
    if (loss != null) {
      loss.tell(this);
    }
  }

  /** Ends a session that was idle: its senders take the next one. */
  void evicted(Session over) {
    Loss loss = evict(over);
    forget(over);
    if (loss != null) {
      loss.tell(this);
    }
    if (isAnyLeft()) {
      linkWanted(); // either this sees what is queued, or queueing sees that the session is gone
    }
  }

  private synchronized void forget(Session over) {
    if (session == over) {
      startOver();
      session = null;
    }
  }

  /** Under the lock: what went before counts no more for those who want a session from now on. */
  private void startOver() {
    long nowNs = System.nanoTime();
    asked = false;
    queuedNs = nowNs;
    news.sessionOver(nowNs);
  }

  /** Excludes whoever uses a session and takes what hangs on it; null if it was over already. */
  private @Nullable Loss cutOff(Session over, VerbenaException cause, Loss.Kind kind) {
    return over.end(cause)
        ? new Loss(over, kind, cause, takeRequests(), clearBacklog(), wishes.take())
        : null;
  }

  /** Nothing hangs on an idle session; what is queued waits for the next one. */
  private @Nullable Loss evict(Session over) {
    VerbenaException cause = new IdleClosedException(peer);
    return over.end(cause) ? Loss.ofIdle(over, cause) : null;
  }

  private List<PendingRequest<?>> takeRequests() {
    List<PendingRequest<?>> taken = new ArrayList<>();
    host.requests().takeIf(request -> request.connection() == this, taken::add);
    return taken;
  }

  /**
   * Leaves the peer's messages where they are from here on; answers are still taken, and all that
   * this node has sent to itself.
   */
  public void stopTaking() {
    stopTaking(session);
  }

  /** What the peer's handlers ask stays where it is from here on, too. */
  public void stopTakingRequests() {
    Session current = session;
    if (current != null && peer != host.id()) {
      current.stopTakingRequests();
    }
  }

  private void stopTaking(@Nullable Session of) {
    if (of != null && peer != host.id()) {
      of.stopTaking();
    }
  }

  /** Whether everything accepted has been consumed. */
  public boolean isFlushed() {
    Session current = session;
    return current == null || current.closing().isUnderWay() // which began when all was consumed
        ? backlogs.isEmpty()
        : current.isDrained();
  }

  /** Says goodbye to the peer, which may read it soon or never: also a broken link tells it. */
  public void sayGoodbye() {
    Session current = session;
    if (current != null) {
      current.sayGoodbye();
    }
  }

  /** Whether a peer that is linked has still to read something. */
  public boolean isReading() {
    Session current = session;
    return current != null && current.isLinked() && !current.isDrained();
  }

  /**
   * Does nothing unless the calling thread is a codec's that writes to a lane of the session.
   *
   * @throws IllegalStateException if it is one
   */
  public void refuseToWriter() {
    Session current = session;
    if (current != null) {
      current.refuseToWriter();
    }
  }

  /**
   * Ends the session, and whoever waits for one hears the cause. But of a peer that is gone, what
   * was accepted should have been flushed and goodbye been said.
   */
  public void close(VerbenaException cause) {
    Session current = session;
    if (current != null) {
      sessionOver(current, cause);
    }
    Loss.discard(this, clearBacklog());
    Loss.fail(host, takeRequests(), cause);
    RoomWishes.fail(host, wishes.take(), cause);
    synchronized (this) {
      startOver();
      failures++;
      lastFailure = cause;
      notifyAll();
    }
  }

  // ---------------------------------------------------------------- what the peer's connection
  // says

  /** Proposes to the peer to close the connection if it is idle; senders wait for what comes. */
  public void proposeClose() {
    Session current = session;
    if (current != null) {
      current.closing().propose();
    }
  }

  /** What the peer's connection says, in order with its messages. */
  void control(Session from, int what) {
    if (from.ended() != null) {
      return; // the rest of what was read in one go
    }
    switch (what) {
      case Control.GOODBYE ->
          sessionOver(from, new PeerLostException("node " + peer + " said goodbye"));
      case Control.CLOSE, Control.CLOSE_AGREED, Control.CLOSE_REFUSED -> from.closing().heard(what);
      default -> from.broken("unknown control message");
    }
  }

  // ---------------------------------------------------------------- looking

  /** A number that changes whenever something is consumed or heard. */
  public long activity() {
    Session current = session;
    return current == null ? 0 : current.activity();
  }

  /** The connection's state now. */
  public @Nullable ConnectionInfo info() {
    Session current = session;
    return current == null ? null : info(current);
  }

  ConnectionInfo info(Session of) {
    return new ConnectionInfo(
        peer,
        stateOf(of),
        of.transport().name(),
        of.reason(),
        of.shared().sentPosition(),
        of.shared().consumedPosition(),
        1 + of.exclusiveCount(),
        of.memoryBytes());
  }

  private static ConnectionInfo.State stateOf(Session of) {
    if (of.ended() != null) {
      return ConnectionInfo.State.CLOSED;
    }
    if (of.closing().isUnderWay()) {
      return ConnectionInfo.State.CLOSING;
    }
    return of.isLinked() ? ConnectionInfo.State.CONNECTED : ConnectionInfo.State.RESUMING;
  }
}
