// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.Errands;
import io.verbena.transport.InPlaceLoop;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A link over shared memory: the lanes are files, the socket names them and, by its end, tells at
 * once when the peer died. What the peer says there is queued to the loop.
 */
final class ShmLink implements Link, InPlaceLoop.Source, ControlSocket.Listener {

  /** The largest lane a peer may announce. */
  private static final long MAX_CAPACITY = 1L << 30;

  /** How long a lane's file may be missing until the peer says that it has finished the lane. */
  private static final Duration MISSING = Duration.ofSeconds(2);

  /** How long a peer that was told of the end may take to say its last words. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final ShmTransport transport;
  private final ControlSocket socket;
  private final Doorbell peersBell;
  private final String description;
  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unheard = new AtomicInteger(); // messages in news
  private final AtomicBoolean down = new AtomicBoolean();
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private final Set<Integer> announced = new HashSet<>(); // by the role's holder, as is the next
  private final Map<Integer, String> missing = new HashMap<>(); // why lanes could not be opened
  private @Nullable LinkEvents events; // set before start, then read by the role's holder

  ShmLink(ShmTransport transport, SocketChannel socket, Doorbell peersBell, String description) {
    this.transport = transport;
    this.peersBell = peersBell;
    this.description = description;
    this.socket = new ControlSocket(socket, transport.maxUnsaid(), this);
  }

  /** The handshake is over: what was to be said is said now, and what comes is read. */
  void start(LinkEvents newEvents) {
    events = newEvents;
    transport.progress().add(this);
    try {
      transport.sockets().add(socket);
    } catch (IOException e) {
      takeDown("its socket cannot be read: " + e.getMessage());
      socket.close();
    }
    transport.cameUp(this);
  }

  /** The node did not want the link: nobody will be told of its end. */
  void abandon() {
    down.set(true);
    peersBell.close();
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public Outlet attach(int laneId, LaneMemory memory) {
    Path file = transport.fileOf(memory);
    say(
        new ControlMessage(
            ControlMessage.OPEN_LANE, laneId, memory.capacity(), file.getFileName().toString()));
    return new ShmOutlet(laneId, memory);
  }

  /** The page of the peer's doorbell. */
  @Override
  public long memoryBytes() {
    return Doorbell.BYTES;
  }

  @Override
  public void close(String reason) {
    if (!down.get()) {
      say(new ControlMessage(ControlMessage.BYE, 0, 0, reason));
    }
    takeDown(reason);
  }

  // ---------------------------------------------------------------- the socket

  /** Never waits for the peer: what it does not read is kept, up to a limit. */
  private void say(ControlMessage message) {
    if (socket.say(message)) {
      transport.sockets().changed(socket);
    } else {
      takeDown(
          "the peer reads nothing: "
              + transport.maxUnsaid()
              + " control messages wait to be written");
    }
  }

  /**
   * This side cannot go on. The link goes down once everything the peer has said is read: a peer
   * that took the link down has said why, and that is the reason to tell. A peer that has said
   * nothing ends its side when it reads the end of this one.
   */
  private void fail(String reason) {
    if (down.get() || !failure.compareAndSet(null, reason)) {
      return;
    }
    say(new ControlMessage(ControlMessage.BYE, 0, 0, reason));
    // A peer that is stopped does not hold the link up for longer.
    Errands.later(LAST_WORDS, () -> takeDown(reason));
  }

  @Override
  public void heard(ControlMessage message) {
    if (down.get()) {
      return;
    }
    if (unheard.incrementAndGet() > transport.maxUnheard()) {
      close("more than " + transport.maxUnheard() + " control messages wait to be read");
    } else {
      tell(() -> act(message));
    }
  }

  @Override
  public void fellSilent(String why) {
    String first = failure.get(); // what broke here brought the end about
    // After what was read before: a BYE knows the reason better.
    tell(() -> takeDown(first == null ? why : first));
  }

  @Override
  public void broke(String why) {
    fail(why);
  }

  @Override
  public void closed() {
    transport.ended(this);
  }

  private void tell(Runnable what) {
    news.add(what);
    transport.progress().announceNews();
    transport.readLateNews();
  }

  @Override
  public int readNews() {
    int read = 0;
    for (Runnable next = news.poll(); next != null; next = news.poll()) {
      next.run();
      read++;
    }
    return read;
  }

  /** By the role: what the peer said. */
  private void act(ControlMessage message) {
    unheard.getAndDecrement();
    LinkEvents to = events;
    boolean isOver = failure.get() != null && message.kind() != ControlMessage.BYE;
    if (to == null || down.get() || isOver) {
      return;
    }
    switch (message.kind()) {
      case ControlMessage.OPEN_LANE -> open(to, message);
      case ControlMessage.FINISH -> finished(to, message);
      case ControlMessage.BYE -> takeDown("the peer closed the link: " + message.text());
      default -> {
        to.broken("an unknown control message of kind " + message.kind());
        takeDown("an unknown control message");
      }
    }
  }

  private void finished(LinkEvents to, ControlMessage message) {
    if (message.value() == 0 && missing.remove(message.lane()) != null) {
      return; // closed unused, before it was opened here
    }
    transport.progress().unread(this, message.lane());
    to.finished(message.lane(), message.value());
  }

  private void open(LinkEvents to, ControlMessage message) {
    try {
      long capacity = message.value();
      if (capacity < 4096 || capacity > MAX_CAPACITY || Long.bitCount(capacity) != 1) {
        throw new IOException("a lane of " + capacity + " bytes was announced");
      }
      if (!announced.add(message.lane())) {
        throw new IOException("it is open already");
      }
      Path file = transport.rendezvous().peers(message.text());
      InboundLane lane =
          to.inbound(message.lane(), capacity, () -> ShmTransport.openLane(file, capacity));
      MemorySegment word = waitingWord(lane.memory());
      transport.progress().read(this, lane, () -> Linux.futexWake(word));
    } catch (SharedFile.MissingException e) {
      missing.put(message.lane(), String.valueOf(e.getMessage()));
      Errands.later(MISSING, () -> tell(() -> giveUp(message.lane())));
    } catch (IOException e) {
      cannotOpen(message.lane(), e.getMessage());
    }
  }

  /** The peer deletes the file of a lane after it has said that the lane is finished. */
  private void giveUp(int lane) {
    String why = missing.remove(lane);
    if (why != null) {
      cannotOpen(lane, why);
    }
  }

  private void cannotOpen(int lane, @Nullable String why) {
    fail("lane " + lane + " cannot be opened: " + why);
  }

  private void takeDown(String reason) {
    if (down.compareAndSet(false, true)) {
      transport.end(this);
      tell(() -> reportDown(reason));
    }
  }

  /** Once the peer has been told why; one that reads nothing is not waited for long. */
  void closeSocket() {
    socket.end();
    transport.sockets().changed(socket);
  }

  private void reportDown(String reason) {
    transport.progress().unread(this);
    transport.progress().remove(this);
    LinkEvents to = events;
    if (to != null) {
      to.down(reason);
    }
    transport.closeLater(peersBell);
  }

  private static MemorySegment waitingWord(LaneMemory memory) {
    return memory.segment().asSlice(LaneMemory.WAITING_OFFSET, 4);
  }

  /** Where a lane leaves: it is in the peer's memory already, which only may have to be woken. */
  private final class ShmOutlet implements Outlet {
    private final int laneId;
    private final LaneMemory memory;
    private final Doorbell bell; // looked at after each message: no detour by the link

    ShmOutlet(int laneId, LaneMemory memory) {
      this.laneId = laneId;
      this.memory = memory;
      this.bell = peersBell;
    }

    @Override
    public void published() {
      try {
        bell.ringIfAsleep();
      } catch (IllegalStateException e) {
        // The link is down and its doorbell unmapped; the next link begins with a look.
      }
    }

    @Override
    public void awaitConsumed(long position, long timeoutNs) {
      memory.announceWaiting(); // before the look: pairs with LaneMemory.takeWaiting
      if (memory.consumed() <= position && !down.get()) {
        Linux.futexWait(waitingWord(memory), timeoutNs);
      }
    }

    @Override
    public void finish(long finalPosition) {
      say(new ControlMessage(ControlMessage.FINISH, laneId, finalPosition, ""));
    }
  }
}
