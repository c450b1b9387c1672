// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.NodeConfig;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.LaneWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What handlers have queued for the shared lanes to one peer, by the lanes' ids. Any thread. */
final class Backlogs {

  private static final int MOST_SHARED_LANES = 2;

  private final NodeConfig config;
  private final List<Backlog> all;

  /**
   * @param added called after each message that joined, without a lock held
   */
  Backlogs(Host host, int peer, Runnable added) {
    this.config = host.config();
    RequestTable requests = host.requests();
    this.all =
        Stream.generate(() -> new Backlog(peer, config.overflowBytes(), requests::isOpen, added))
            .limit(MOST_SHARED_LANES)
            .toList();
  }

  Backlog of(int laneId) {
    return all.get(laneId);
  }

  /** Queues a message for the session to come. */
  void queue(int kind, long correlation, MessageCodec codec, Record message) {
    int length = OutboundLane.bodyBytes(codec, message, config.messageMaxBytes());
    of(0).add(kind, correlation, codec, message, length, maxFrameBytes());
  }

  /** Queues a message that is encoded already for the session to come. */
  void queue(EncodedMessage message) {
    of(0).add(message.queued(maxFrameBytes()));
  }

  /**
   * What fits in the ring that a lane begins in: where there is no memory for a larger one, a frame
   * that needs it would hold up all that comes after it.
   */
  private static int maxFrameBytes() {
    return LaneWriter.maxFrameBytes(OutboundLanes.LEAST_BYTES);
  }

  boolean isEmpty() {
    for (Backlog backlog : all) {
      if (!backlog.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  int size() {
    return all.stream().mapToInt(Backlog::size).sum();
  }

  long bytes() {
    return all.stream().mapToLong(Backlog::bytes).sum();
  }

  /** What waits for several lanes goes by the first: the next session has no other. */
  void join() {
    for (Backlog backlog : all.subList(1, all.size())) {
      of(0).take(backlog.clear());
    }
  }

  List<Backlog.Queued> clear() {
    List<Backlog.Queued> cleared = new ArrayList<>();
    all.forEach(backlog -> cleared.addAll(backlog.clear()));
    return cleared;
  }
}
