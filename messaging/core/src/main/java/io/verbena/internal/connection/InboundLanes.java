// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.lane.LaneReader;
import io.verbena.internal.lane.ProtocolException;
import io.verbena.transport.InboundLane;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.LinkEvents.MemorySource;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lanes of a session that the peer writes. Guarded by the session. */
final class InboundLanes {

  /** An announcement that cannot be accepted, on no other link either: the session ends. */
  static final class BadLaneException extends IOException {
    private static final long serialVersionUID = 1;

    BadLaneException(String why) {
      super(why);
    }
  }

  /** More of them than a peer that keeps to the protocol ever has: what is announced takes room. */
  private static final int MAX_SUCCESSORS = 16;

  private final Session session;
  private final Map<Integer, LaneReader> lanes = new HashMap<>();
  private final Map<Integer, InboundStream> streams = new HashMap<>(); // by the lane that is read

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
    LaneReader known = lanes.get(laneId);
    if (known == null) {
      dropAllBut(announced);
      return open(laneId, memory);
    }
    if (known.memory().capacity() != capacity) {
      throw new BadLaneException("a lane announced with another size: lane " + laneId);
    }
    return known;
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
    boolean successor = isSuccessor(laneId);
    if (!session.isInner(laneId)) {
      checkCount(successor);
    }
    LaneMemory mine = memory.get();
    InboundStream stream = successor ? streams.get(laneId) : begin(laneId);
    LaneReader reader = new LaneReader(laneId, mine, session.transport().readsInPlace(), stream);
    lanes.put(laneId, reader);
    return reader;
  }

  private void checkCount(boolean successors) throws BadLaneException {
    int max = successors ? MAX_SUCCESSORS : session.host().config().lanesMax();
    long count =
        lanes.keySet().stream()
            .filter(id -> !session.isInner(id) && isSuccessor(id) == successors)
            .count();
    if (count >= max) {
      throw new BadLaneException(
          successors
              ? "too many lanes that go on for others: " + count + " are open"
              : "too many lanes: lanes.max of node " + session.host().id() + " is " + max);
    }
  }

  private boolean isSuccessor(int laneId) {
    return laneId >= OutboundLanes.FIRST_SUCCESSOR && session.version() >= Session.MOVING_LANES;
  }

  /**
   * What was begun counts until it ends, whatever lane it goes on in: each holds what large
   * messages are put together in.
   */
  private InboundStream begin(int laneId) throws BadLaneException {
    int max = session.host().config().lanesMax() + session.sharedCount();
    if (streams.size() >= max) {
      throw new BadLaneException(
          "too many lanes: " + streams.size() + " have begun, or gone on in others, and not ended");
    }
    InboundStream stream = new InboundStream(session, session.isInner(laneId));
    streams.put(laneId, stream);
    session.host().metrics().addReceived(stream);
    return stream;
  }

  /** A lane ends, and what it carried goes on in another one, which may not be announced yet. */
  void moved(InboundStream stream, int to) throws ProtocolException {
    LaneReader next = lanes.get(to);
    if (!isSuccessor(to) || streams.containsKey(to)) {
      throw new ProtocolException("a lane that goes on in lane " + to + ", which is another's");
    }
    streams.values().remove(stream);
    streams.put(to, stream);
    if (next != null) {
      next.follow(stream);
    }
  }

  /** The lane's memory goes when everything in it has been handed on. */
  void finished(int laneId, long finalPosition) {
    LaneReader reader = lanes.get(laneId);
    if (reader == null || (laneId < session.sharedCount() && !reader.hasMoved())) {
      return;
    }
    reader.finishAt(finalPosition);
    if (reader.isFinished()) {
      drop(laneId);
    }
  }

  private void drop(int laneId) {
    LaneReader reader = lanes.remove(laneId);
    if (reader != null) {
      retire(streams.remove(laneId));
      session.host().freeLater(reader.memory());
    }
  }

  private void retire(@Nullable InboundStream stream) {
    if (stream != null) {
      session.host().metrics().retireReceived(stream);
      stream.close();
    }
  }

  /** What all rings take, and what large messages are put together in. */
  long memoryBytes() {
    long ofStreams = streams.values().stream().mapToLong(InboundStream::memoryBytes).sum();
    return ofStreams + lanes.values().stream().mapToLong(lane -> lane.memory().bytes()).sum();
  }

  /** Gives all memory up. */
  void close() {
    streams.values().forEach(this::retire);
    streams.clear();
    lanes.values().forEach(reader -> session.host().freeLater(reader.memory()));
    lanes.clear();
  }

  /** The sum of what was handed on from all lanes. */
  long activity() {
    return lanes.values().stream().mapToLong(LaneReader::position).sum();
  }
}
