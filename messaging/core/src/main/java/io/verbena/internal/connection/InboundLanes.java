// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.lane.LaneReader;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LinkEvents.MemorySource;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The lanes of a session that the peer writes. Guarded by the session. */
final class InboundLanes {

  /** An announcement that cannot be accepted, on no other link either: the session ends. */
  static final class BadLaneException extends IOException {
    private static final long serialVersionUID = 1;

    BadLaneException(String why) {
      super(why);
    }
  }

  /** A lane and what it carries. */
  private record Lane(LaneReader reader, InboundStream stream) {}

  private final Session session;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  InboundLanes(Session session) {
    this.session = session;
  }

  /**
   * The lane that the peer announces over a link: the one there is, or a new one.
   *
   * @param announced all that were announced over this link so far, this one included
   * @throws BadLaneException if the lane has another size than before, or there are too many
   * @throws IOException if there is no memory for it
   */
  InboundLane announced(int laneId, long capacity, Set<Integer> announced, MemorySource memory)
      throws IOException {
    Lane known = lanes.get(laneId);
    if (known == null) {
      dropAllBut(announced);
      return open(laneId, memory);
    }
    if (known.reader.memory().capacity() != capacity) {
      throw new BadLaneException("a lane announced with another size: lane " + laneId);
    }
    return known.reader;
  }

  /**
   * A link begins with the announcement of all lanes that go on, so before a new one is announced:
   * what is missing was finished while the wire was cut.
   */
  private void dropAllBut(Set<Integer> announced) {
    for (Integer laneId : List.copyOf(lanes.keySet())) {
      if (!announced.contains(laneId)) {
        drop(laneId);
      }
    }
  }

  private InboundLane open(int laneId, MemorySource memory) throws IOException {
    int max = session.host().config().lanesMax();
    if (lanes.size() >= max) {
      throw new BadLaneException(
          "too many lanes: lanes.max of node " + session.host().id() + " is " + max);
    }
    InboundStream stream = new InboundStream(session);
    boolean inPlace = session.transport().readsInPlace();
    LaneReader reader = new LaneReader(laneId, memory.get(), inPlace, stream);
    lanes.put(laneId, new Lane(reader, stream));
    session.host().metrics().addReceived(stream);
    return reader;
  }

  /** The lane's memory goes when everything in it has been handed on. */
  void finished(int laneId, long finalPosition) {
    Lane lane = lanes.get(laneId);
    if (lane == null || laneId < SharedLane.COUNT) {
      return;
    }
    lane.reader.finishAt(finalPosition);
    if (lane.reader.isFinished()) {
      drop(laneId);
    }
  }

  private void drop(int laneId) {
    Lane lane = lanes.remove(laneId);
    if (lane != null) {
      close(lane);
    }
  }

  /** Frees all memory. */
  void close() {
    lanes.values().forEach(this::close);
    lanes.clear();
  }

  private void close(Lane lane) {
    session.host().metrics().retireReceived(lane.stream);
    lane.reader.memory().close();
  }

  /** The sum of what was handed on from all lanes. */
  long activity() {
    return lanes.values().stream().mapToLong(lane -> lane.reader.position()).sum();
  }
}
