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

  /**
   * By the node's own lane, which outlives links: dials that cross may replace one, and give the
   * session another name.
   */
  private final Map<InboundLane, FaultyLane> lanes = new ConcurrentHashMap<>();

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
        FaultyLane.Rings made = new FaultyLane.Rings(capacity, memory);
        InboundLane lane = events.inbound(laneId, capacity, made);
        return lanes.computeIfAbsent(lane, fresh -> made.before(fresh, faults));
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
