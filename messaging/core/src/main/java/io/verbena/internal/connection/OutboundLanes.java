// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.PeerLostException;
import io.verbena.transport.Link;
import io.verbena.transport.Outlet;
import java.util.ArrayList;
import java.util.List;

/** The lanes of a session that this side writes: the shared ones first. Guarded by the session. */
final class OutboundLanes {

  private static final int MAX_LANE_ID = 0xFFFF;

  private final Session session;
  private final List<OutboundLane> lanes = new ArrayList<>();
  private int nextId = SharedLane.COUNT;
  private volatile int count; // those included that are being opened

  OutboundLanes(Session session, List<SharedLane> shared) {
    this.session = session;
    count = shared.size();
    shared.forEach(this::add);
  }

  /** How many there are, those included that are being opened. Any thread, without the lock. */
  int count() {
    return count;
  }

  List<OutboundLane> all() {
    return List.copyOf(lanes);
  }

  // ---------------------------------------------------------------- exclusive lanes

  /** Counts a lane that is opened next. */
  void reserve() {
    int max = session.host().config().lanesMax();
    if (count >= max) {
      throw new BackPressureException(
          count + " lanes to node " + session.peer() + " are open; lanes.max is " + max);
    }
    count++;
  }

  /** The lane that was reserved could not be opened. */
  void unreserve() {
    count--;
  }

  /** The id of the next lane. */
  int takeId() {
    if (nextId > MAX_LANE_ID) {
      throw new BackPressureException(
          MAX_LANE_ID
              + " senders were opened in this session with node "
              + session.peer()
              + ", all there are ids for; keep senders instead of opening one for each use");
    }
    return nextId++;
  }

  /** One that was reserved joins those that follow the session's links. */
  void add(OutboundLane lane) {
    lanes.add(lane);
    session.host().metrics().addSent(lane);
  }

  /** Closes a lane that the peer has consumed; does nothing if it is closed already. */
  void finish(ExclusiveLane lane) {
    if (!lanes.remove(lane)) {
      return;
    }
    count--;
    lane.end(new PeerLostException("the sender to node " + session.peer() + " is closed"));
    lane.outlet().finish(lane.tail());
    free(lane);
  }

  // ---------------------------------------------------------------- all of them

  /** All go on over a link. */
  void attach(Link link) {
    for (OutboundLane lane : lanes) {
      lane.outlet(link.attach(lane.id(), lane.memory()));
    }
  }

  /** There is no link: all end at {@code outlet}. */
  void detach(Outlet outlet) {
    lanes.forEach(lane -> lane.outlet(outlet));
  }

  /** Whether the peer has consumed all that was written. */
  boolean areDrained() {
    return lanes.stream().allMatch(OutboundLane::isDrained);
  }

  /** The sum of what the peer has consumed. */
  long consumed() {
    return lanes.stream().mapToLong(OutboundLane::consumed).sum();
  }

  /** Frees all memory. */
  void close() {
    lanes.forEach(this::free);
  }

  private void free(OutboundLane lane) {
    session.host().metrics().retireSent(lane);
    lane.memory().close();
  }
}
