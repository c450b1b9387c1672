// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.faulty;

import io.verbena.testkit.ForwardingContext;
import io.verbena.transport.Agreement;
import io.verbena.transport.InboundLane;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.RefusedException;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Passes everything on, but puts a {@link FaultyLane} before each incoming lane. */
final class FaultyContext extends ForwardingContext {

  private final FaultSource faults;
  private final Map<LaneOf, InboundLane> lanes = new ConcurrentHashMap<>();

  /** A lane outlives links: dials that cross may replace one. */
  private record LaneOf(int peer, long session, int laneId) {}

  FaultyContext(TransportContext context, FaultSource faults) {
    super(context);
    this.faults = faults;
  }

  @Override
  public LinkEvents established(Agreement agreement, Link link, String reason)
      throws RefusedException {
    LinkEvents events = super.established(agreement, link, reason);
    return new LinkEvents() {
      @Override
      public InboundLane inbound(int laneId, long capacity, MemorySource memory)
          throws IOException {
        LaneOf which = new LaneOf(agreement.peer(), agreement.session(), laneId);
        InboundLane lane = lanes.get(which);
        if (lane == null) {
          lane = FaultyLane.before(events, laneId, capacity, memory, faults);
          lanes.put(which, lane);
        }
        return lane;
      }

      @Override
      public void finished(int laneId, long finalPosition) {
        events.finished(laneId, finalPosition);
      }

      @Override
      public void broken(String why) {
        events.broken(why);
      }

      @Override
      public void down(String why) {
        events.down(why);
      }
    };
  }
}
