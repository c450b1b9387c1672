// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.PeerLostException;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.Outlet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The lanes of a session that this side writes, the shared ones first, and the rings they are
 * written to, which follow the session's links. Guarded by the session, but for what makes memory.
 */
final class OutboundLanes implements RingMoves.Source {

  /** Ids from here on are given to rings in which a lane goes on. */
  static final int FIRST_SUCCESSOR = 0x8000;

  private static final int MAX_ID = 0xFFFF;

  /** Lanes shrink no more once there are only so many ids left: growing goes before. */
  private static final int KEPT_IDS = 0x100;

  /** The ring of a lane that begins small; smaller than any {@code lane.bytes}. */
  static final long LEAST_BYTES = 8192;

  private final Session session;
  private final long leastBytes;
  private final long mostBytes;
  private final long idleNs;
  private final List<SharedLane> shared = new ArrayList<>();
  private final List<OutboundLane> lanes = new ArrayList<>(); // those included
  private final List<Ring> rings = new ArrayList<>(); // the oldest first
  private int nextId;
  private int nextSuccessor = FIRST_SUCCESSOR;
  private volatile int count; // the exclusive ones, with those that are being opened

  /**
   * Makes the shared lanes, which have no ring yet.
   *
   * @param sharedCount how many; their ids come first
   * @param growing whether they begin small
   */
  OutboundLanes(Session session, int sharedCount, boolean growing) {
    this.session = session;
    this.mostBytes = session.host().config().laneBytes();
    this.leastBytes = growing ? LEAST_BYTES : mostBytes;
    this.idleNs = session.host().config().laneShrinkAfter().toNanos();
    this.nextId = sharedCount;
    long messageMaxBytes = session.host().config().messageMaxBytes();
    for (int id = 0; id < sharedCount; id++) {
      SharedLane lane =
          new SharedLane(
              id,
              this,
              session.laneWait(),
              messageMaxBytes,
              session.peerTypes(),
              session.connection().backlogOf(id));
      shared.add(lane);
      add(lane);
    }
  }

  /** The lanes that all threads send on. They stay: any thread, without the lock. */
  List<SharedLane> shared() {
    return shared;
  }

  private void add(OutboundLane lane) {
    lanes.add(lane);
    session.host().metrics().addSent(lane);
  }

  /** How many exclusive lanes there are, those included that are being opened. Without the lock. */
  int count() {
    return count;
  }

  List<OutboundLane> all() {
    return List.copyOf(lanes);
  }

  // ---------------------------------------------------------------- rings

  @Override
  public long leastBytes() {
    return leastBytes;
  }

  @Override
  public long mostBytes() {
    return mostBytes;
  }

  @Override
  public long idleNs() {
    return idleNs;
  }

  @Override
  public Ring open(SharedLane lane, boolean first, long capacity) throws IOException {
    return open(first ? lane.id() : takeSuccessorId(), capacity);
  }

  private int takeSuccessorId() throws IOException {
    synchronized (session) {
      if (nextSuccessor > MAX_ID) {
        throw new IOException("the session has given out all ids for lanes that go on");
      }
      return nextSuccessor++;
    }
  }

  @Override
  public boolean mayShrink() {
    synchronized (session) {
      return nextSuccessor < MAX_ID - KEPT_IDS;
    }
  }

  private Ring open(int id, long capacity) throws IOException {
    LaneMemory memory = session.transport().allocate(session.peer(), id, capacity);
    synchronized (session) {
      if (session.ended() != null) {
        memory.close();
        session.throwIfEnded();
      }
      Ring ring = new Ring(id, memory, session.laneWait());
      rings.add(ring);
      Link link = session.link();
      if (link != null) {
        ring.outlet(link.attach(id, memory));
      }
      return ring;
    }
  }

  @Override
  public void close(Ring ring) {
    synchronized (session) {
      if (rings.remove(ring)) {
        if (ring.tail() > 0) {
          session.confirm(); // the peer has consumed it: this must not be forgotten with the ring
        }
        ring.outlet().finish(ring.tail());
        session.host().freeLater(ring.memory()); // threads that wait may look at it still
      }
    }
  }

  // ---------------------------------------------------------------- exclusive lanes

  /** Counts a lane that is opened next. */
  void reserve() {
    int max = session.host().config().lanesMax();
    int open = 1 + count; // what is sent by the node itself counts as one
    if (open >= max) {
      throw new BackPressureException(
          open + " lanes to node " + session.peer() + " are open; lanes.max is " + max);
    }
    count++;
  }

  /** The lane that was reserved could not be opened. */
  void unreserve() {
    count--;
  }

  /** Opens a lane that was reserved. Not under the lock. */
  ExclusiveLane openExclusive() throws IOException {
    int id;
    synchronized (session) {
      id = takeId();
    }
    ExclusiveLane lane = new ExclusiveLane(open(id, mostBytes()), session);
    synchronized (session) {
      session.throwIfEnded(); // which frees all rings
      add(lane);
    }
    return lane;
  }

  private int takeId() {
    if (nextId >= FIRST_SUCCESSOR) {
      throw new BackPressureException(
          (FIRST_SUCCESSOR - shared.size())
              + " senders were opened in this session with node "
              + session.peer()
              + ", all there are ids for; keep senders instead of opening one for each use");
    }
    return nextId++;
  }

  /** Closes a lane that the peer has consumed; does nothing if it is closed already. */
  void finish(ExclusiveLane lane) {
    if (!lanes.remove(lane)) {
      return;
    }
    count--;
    lane.end(new PeerLostException("the sender to node " + session.peer() + " is closed"));
    session.host().metrics().retireSent(lane);
    lane.rings().forEach(this::close);
  }

  // ---------------------------------------------------------------- all of them

  /** All go on over a link. */
  void attach(Link link) {
    for (Ring ring : rings) {
      ring.outlet(link.attach(ring.id(), ring.memory()));
    }
  }

  /** There is no link: all end at {@code outlet}. */
  void detach(Outlet outlet) {
    rings.forEach(ring -> ring.outlet(outlet));
  }

  /** Whether the peer has consumed all that was written. */
  boolean areDrained() {
    return lanes.stream().allMatch(OutboundLane::isDrained);
  }

  /** The sum of what the peer has consumed. */
  long consumed() {
    return rings.stream().mapToLong(Ring::consumed).sum();
  }

  /** What all rings take, those included that a lane has left and that are not read yet. */
  long memoryBytes() {
    return rings.stream().mapToLong(ring -> ring.memory().bytes()).sum();
  }

  /** Gives all memory up. */
  void close() {
    lanes.forEach(session.host().metrics()::retireSent);
    rings.forEach(ring -> session.host().freeLater(ring.memory()));
    rings.clear(); // a sender that is closed later has none to give up
  }
}
