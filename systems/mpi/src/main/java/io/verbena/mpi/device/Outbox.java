// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.PeerUnreachableException;
import io.verbena.Sender;
import io.verbena.VerbenaException;
import io.verbena.fabric.RegionKey;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that goes to one peer, by one exclusive lane, so in one order.
 *
 * <p><b>The turn.</b> The thread that has it writes, for all. Nobody waits for it: a thread that
 * finds it taken has put what is to go into a queue before, and the one that gives it back looks at
 * the queues again. Where the lane is full that one has itself told of room, and the thread that
 * receives goes on.
 *
 * <p><b>The queues</b>, in their order: answers; heads of messages, in MPI's order, which may have
 * to wait for the peer's allowance; messages that go by pieces, one piece of each in turn.
 *
 * <p>Any thread, handlers too: nothing here waits, but {@link #fail} for the turn.
 */
final class Outbox {

  /** What became of something to write. */
  private enum Written {
    /** It is on its way. */
    YES,
    /** The lane is full. */
    FULL,
    /** The peer's allowance is used up. */
    STALLED
  }

  /** The peer has said goodbye, behind all that it has sent. */
  static final int GOODBYE = 1;

  /** The peer's process has ended, as the job knows. */
  static final int ENDED = 2;

  private static final String VERBS = "rdma"; // the transport's name
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final long BETWEEN_TRIES_NS = 20_000_000;

  private final int rank;
  private final Node node;
  private final DeviceOptions options;
  private final Supplier<@Nullable DirectWay> directWay;
  private final Watcher watcher;

  private final ReentrantLock turn = new ReentrantLock();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Queue<SendRequest> heads = new ConcurrentLinkedQueue<>();
  private final Queue<SendRequest> streams = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isOpening = new AtomicBoolean();
  private final AtomicInteger heard = new AtomicInteger(); // of the peer's end
  private final AtomicInteger owed = new AtomicInteger(); // bytes of allowance to give back
  private final int owedAtOnce;
  private volatile @Nullable Sender lane;
  private volatile boolean awaitsRoom;
  private volatile @Nullable DirectWay direct; // if the peer is reached over verbs
  private volatile @Nullable DeviceException dead;

  private int eagerBytes; // with the turn, as all below
  private int pieceBytes;
  private int refillBytes; // the room for pieces that is worth coming back for
  private int fullBytes; // what there was no room for
  private boolean hasFinished; // something that somebody may wait for

  final Allowance allowance = new Allowance();

  /** Sends that the peer knows by number: it will say that they are matched. */
  final Slots<SendRequest> told = new Slots<>();

  /** Receives whose pieces the peer sends. */
  final Slots<ReceiveRequest> expected = new Slots<>();

  /** Hears that the peer cannot be reached. */
  interface Watcher {
    void lost(int rank, String reason);
  }

  /**
   * @param grantedBytes what whole messages of the peer may take here before they are received
   * @param directWay the way beside lanes, where there is one
   */
  Outbox(
      int rank,
      Node node,
      DeviceOptions options,
      int grantedBytes,
      Supplier<@Nullable DirectWay> directWay,
      Watcher watcher) {
    this.rank = rank;
    this.node = node;
    this.options = options;
    this.directWay = directWay;
    this.watcher = watcher;
    this.owedAtOnce = grantedBytes / 2;
    owed.set(grantedBytes);
    answers.add(new Answer.More(0)); // so that the first word says what is granted
  }

  int rank() {
    return rank;
  }

  @Nullable DeviceException dead() {
    return dead;
  }

  /**
   * Of a peer that ends well two things are heard, in any order.
   *
   * @param news {@link #GOODBYE} or {@link #ENDED}
   * @return whether this was the second: the peer is gone, and all that it has sent is here
   */
  boolean isLastNews(int news) {
    int before = heard.getAndUpdate(it -> it | news);
    return before != (GOODBYE | ENDED) && (before | news) == (GOODBYE | ENDED);
  }

  // ---------------------------------------------------------------- what is to go

  /** Sends a message: at once if that is possible, and later if not. */
  void send(SendRequest send) {
    if (!sendsAtOnce(send)) {
      heads.add(send);
      open();
    }
    pump();
  }

  void answer(Answer answer) {
    answers.add(answer);
    open();
    pump();
  }

  /** The peer has matched a message whose bytes it did not have: they are to go there. */
  void stream(SendRequest send) {
    streams.add(send);
    pump();
  }

  // ---------------------------------------------------------------- without the lane

  /** Lets the peer write what it sends into the memory of a receive; null if it cannot. */
  DirectWay.@Nullable Window open(Layout into, long bytes) {
    DirectWay way = direct;
    return way == null ? null : way.open(into, bytes);
  }

  /** The peer wants a message, and lets this rank write it there. */
  void write(SendRequest send, RegionKey window) {
    DirectWay way = direct;
    if (way == null || !way.put(rank, send.from(), window, there -> wrote(send, there))) {
      stream(send);
    }
  }

  private void wrote(SendRequest send, boolean isThere) {
    if (!isThere) {
      stream(send);
      return;
    }
    answer(new Answer.Placed(send.receiver()));
    send.finish(null);
    node.wakeReceivers();
  }

  /** That by which the peer is reached; null if it is not any more. */
  private @Nullable String transport() {
    return node.connections().stream()
        .filter(it -> it.nodeId() == rank)
        .map(ConnectionInfo::transport)
        .findFirst()
        .orElse(null);
  }

  /** The program has got, or will never want, what a message of the peer was charged for. */
  void consumed(int charge) {
    if (owed.addAndGet(charge) >= owedAtOnce) {
      answer(new Answer.More(0));
    }
  }

  /** Makes the lane, on a thread that may wait for it, if nobody has begun to. */
  void open() {
    if (lane == null && dead == null && !isOpening.get() && isOpening.compareAndSet(false, true)) {
      Thread.ofVirtual().name("verbena-mpi-lane-" + rank).start(this::makeLane); // of thousands
    }
  }

  private void makeLane() {
    try {
      Sender made = reach();
      String transport = transport();
      direct = VERBS.equals(transport) ? directWay.get() : null;
      turn.lock();
      try {
        eagerBytes =
            Math.min(options.eagerBytesOver(transport), made.maxClaim() - Wire.MOST_HEAD_BYTES);
        pieceBytes =
            Math.min(options.pieceBytesOver(transport), made.maxClaim() - Wire.PIECE_BYTES);
        refillBytes = made.maxClaim();
        lane = made;
      } finally {
        turn.unlock();
      }
      pump();
    } catch (VerbenaException e) {
      watcher.lost(rank, String.valueOf(e.getMessage()));
    }
  }

  /** Ranks start one after the other, and a busy host is slow: a peer need not be there yet. */
  private Sender reach() {
    long sinceNs = System.nanoTime();
    while (true) {
      try {
        return node.sender(rank);
      } catch (PeerUnreachableException e) {
        if (dead != null || System.nanoTime() - sinceNs > PATIENCE_NS) {
          throw e;
        }
        LockSupport.parkNanos(this, BETWEEN_TRIES_NS);
      }
    }
  }

  // ---------------------------------------------------------------- the turn

  /** Writes what can be written now, if nobody else does. */
  void pump() {
    while (hasWork() && turn.tryLock()) {
      CompletableFuture<Void> room = null;
      RuntimeException broken = null;
      boolean wakes;
      try {
        room = drain();
      } catch (VerbenaException | IllegalStateException e) { // the lane's memory may be gone
        broken = e;
      } finally {
        wakes = hasFinished;
        hasFinished = false;
        turn.unlock();
      }
      if (wakes) {
        node.wakeReceivers();
      }
      if (broken != null) {
        watcher.lost(rank, String.valueOf(broken.getMessage()));
      } else if (room != null && !isThere(room)) {
        return;
      }
    }
  }

  /** A look outside of the turn: who gives it back, and who has added something, takes it. */
  private boolean hasWork() {
    if (dead != null) {
      return !heads.isEmpty() || !streams.isEmpty();
    }
    return lane != null
        && !awaitsRoom
        && (!answers.isEmpty()
            || (!heads.isEmpty() && !allowance.isStalled())
            || !streams.isEmpty());
  }

  /** Whether there is room again already; else whoever hears of it goes on. */
  private boolean isThere(CompletableFuture<Void> room) {
    if (room.isDone() && !room.isCompletedExceptionally()) {
      awaitsRoom = false;
      return true;
    }
    var unused =
        room.whenComplete(
            (nothing, failure) -> {
              awaitsRoom = false;
              if (failure == null) {
                pump();
              } else {
                watcher.lost(rank, String.valueOf(failure.getMessage()));
              }
            });
    return false;
  }

  /** Returns a future of room if the lane is full; null if all is written that may be. */
  private @Nullable CompletableFuture<Void> drain() {
    DeviceException why = dead;
    if (why != null) {
      failQueued(why);
      return null;
    }
    Sender to = lane;
    if (to == null) {
      return null;
    }
    while (true) {
      Written next;
      if (!answers.isEmpty()) {
        next = writeAnswer(to);
      } else if (!heads.isEmpty() && !allowance.isStalled()) {
        next = writeNextHead(to);
      } else if (!streams.isEmpty()) {
        next = writePiece(to);
      } else {
        return null;
      }
      if (next == Written.FULL) {
        awaitsRoom = true;
        return to.whenRoom(streams.isEmpty() ? fullBytes : Math.max(fullBytes, refillBytes));
      }
    }
  }

  private long claim(Sender to, int bytes) {
    long at = to.tryClaim(Device.TYPE, bytes);
    if (at < 0) {
      fullBytes = bytes;
    }
    return at;
  }

  private void putCommon(MemorySegment segment, long at, byte role, byte flags) {
    boolean isWorthIt = owed.get() >= owedAtOnce / 4 || role == Wire.ALLOWANCE;
    int credit = isWorthIt ? owed.getAndSet(0) : 0;
    Wire.putCommon(segment, at, role, flags, credit);
  }

  // ---------------------------------------------------------------- answers

  private Written writeAnswer(Sender to) {
    Answer answer = answers.element();
    long at = claim(to, answer.bytes());
    if (at < 0) {
      return Written.FULL;
    }
    MemorySegment segment = to.segment();
    putCommon(segment, at, answer.role(), (byte) 0);
    answer.write(segment, at);
    to.commit();
    answers.remove();
    return Written.YES;
  }

  // ---------------------------------------------------------------- heads

  private boolean sendsAtOnce(SendRequest send) {
    Sender to = lane;
    if (to == null || awaitsRoom || !heads.isEmpty() || !turn.tryLock()) {
      return false;
    }
    try {
      return dead == null
          && !allowance.isStalled()
          && heads.isEmpty()
          && writeHead(to, send) == Written.YES;
    } catch (VerbenaException | IllegalStateException e) {
      return false; // the next attempt meets the same
    } finally {
      turn.unlock();
    }
  }

  private Written writeNextHead(Sender to) {
    SendRequest send = heads.element();
    Written written = writeHead(to, send);
    if (written == Written.YES) {
      heads.remove();
      hasFinished |= send.isDone();
    }
    return written;
  }

  private Written writeHead(Sender to, SendRequest send) {
    long bytes = send.bytes();
    if (bytes > eagerBytes || !allowance.takeBytes(bytes + Wire.CHARGE_BYTES)) {
      return announce(to, send);
    }
    return writeWhole(to, send, (int) bytes);
  }

  /** Writes the message with its head. */
  private Written writeWhole(Sender to, SendRequest send, int bytes) {
    send.wasWhole(true);
    int flags = Wire.WHOLE | noted(send) | (send.isSynchronous() ? Wire.NUMBERED : 0);
    int headBytes = Wire.headBytes(flags);
    long at = claim(to, headBytes + bytes);
    if (at < 0) {
      allowance.putBackBytes(bytes + Wire.CHARGE_BYTES);
      return Written.FULL;
    }
    MemorySegment segment = to.segment();
    try {
      send.from().gather(0, bytes, segment, at + headBytes);
    } catch (RuntimeException e) {
      to.abort(); // throws if it was the lane
      allowance.putBackBytes(bytes + Wire.CHARGE_BYTES);
      send.finish(unreadable(e));
      return Written.YES;
    }
    writeHeadOf(segment, at, send, flags);
    to.commit();
    if (!send.isSynchronous()) {
      send.finish(null);
    }
    return Written.YES;
  }

  /** Writes the head alone. */
  private Written announce(Sender to, SendRequest send) {
    send.wasWhole(false);
    DirectWay way = direct;
    if (way != null) {
      way.prepare(rank, send.from());
    }
    if (!allowance.takeHead()) {
      answers.add(new Answer.Word(Wire.STALLED));
      return Written.STALLED;
    }
    int flags = Wire.NUMBERED | noted(send);
    long at = claim(to, Wire.headBytes(flags));
    if (at < 0) {
      allowance.putBackHead();
      return Written.FULL;
    }
    writeHeadOf(to.segment(), at, send, flags);
    to.commit();
    return Written.YES;
  }

  private static int noted(SendRequest send) {
    return send.note() == null ? 0 : Wire.NOTED;
  }

  private void writeHeadOf(MemorySegment segment, long at, SendRequest send, int flags) {
    putCommon(segment, at, Wire.HEAD, (byte) flags);
    Wire.putInt(segment, at + 8, send.context().id());
    Wire.putInt(segment, at + 12, send.tag());
    long next = at + Wire.HEAD_BYTES;
    if ((flags & Wire.NUMBERED) != 0) {
      Wire.putLong(segment, next, told.put(send));
      next += 8;
    }
    if ((flags & Wire.WHOLE) == 0) {
      Wire.putLong(segment, next, send.bytes());
      next += 8;
    }
    Note note = send.note();
    if (note != null) {
      Wire.putLong(segment, next, note.first());
      Wire.putLong(segment, next + 8, note.second());
    }
  }

  // ---------------------------------------------------------------- pieces

  private Written writePiece(Sender to) {
    SendRequest send = streams.element();
    int bytes = send.nextBytes(pieceBytes);
    long at = claim(to, Wire.PIECE_BYTES + bytes);
    if (at < 0) {
      return Written.FULL;
    }
    MemorySegment segment = to.segment();
    try {
      send.gatherNext(bytes, segment, at + Wire.PIECE_BYTES);
    } catch (RuntimeException e) {
      to.abort(); // throws if it was the lane
      streams.remove();
      answers.add(new Answer.Abandoned(send.receiver()));
      finish(send, unreadable(e));
      return Written.YES;
    }
    putCommon(segment, at, Wire.PIECE, (byte) 0);
    Wire.putLong(segment, at + 8, send.receiver());
    Wire.putLong(segment, at + 16, send.sent());
    to.commit();
    streams.remove();
    if (send.wasSent(bytes)) {
      finish(send, null);
    } else {
      streams.add(send);
    }
    return Written.YES;
  }

  private static DeviceException unreadable(RuntimeException e) {
    return new DeviceException("the memory of a message that is sent cannot be read", e);
  }

  private void finish(SendRequest send, @Nullable DeviceException why) {
    send.finish(why);
    hasFinished = true;
  }

  // ---------------------------------------------------------------- the end

  /** Whether nothing is to go any more; nothing can before the lane is there. */
  boolean isDrained() {
    return dead != null
        || (!isOpening.get() && lane == null)
        || (lane != null && answers.isEmpty() && heads.isEmpty() && streams.isEmpty());
  }

  boolean isOpen() {
    return lane != null && dead == null;
  }

  /**
   * The peer is gone: everything that needs it fails, and so does what comes later.
   *
   * @return false if that was known
   */
  boolean fail(DeviceException why) {
    turn.lock(); // for as long as somebody writes
    try {
      if (dead != null) {
        return false;
      }
      dead = why;
      failQueued(why);
    } finally {
      turn.unlock();
    }
    told.close().forEach(send -> send.finish(why));
    expected.close().forEach(receive -> receive.fail(why));
    pump(); // for a thread that has found the turn taken meanwhile
    return true;
  }

  private void failQueued(DeviceException why) {
    List<SendRequest> all = new ArrayList<>();
    for (SendRequest send = heads.poll(); send != null; send = heads.poll()) {
      all.add(send);
    }
    for (SendRequest send = streams.poll(); send != null; send = streams.poll()) {
      all.add(send);
    }
    all.forEach(send -> finish(send, why));
  }
}
