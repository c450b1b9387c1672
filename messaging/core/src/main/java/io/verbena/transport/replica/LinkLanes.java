// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.InboundLane;
import io.verbena.transport.LinkEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one link, both ways: what the far side says of them is judged and carried out here,
 * what it has to know of them is put into words.
 *
 * <p>What arrives is handled by the loop's role; outlets come and go by any thread; words are put
 * by whoever writes.
 */
public final class LinkLanes {

  private final String maxLaneKey;
  private final long maxLaneBytes;
  private final Replicas replicas;
  private final CopyOnWriteArrayList<ReplicaOutlet> outlets = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<Inlet> inlets = new CopyOnWriteArrayList<>();
  private @Nullable Inlet last; // the one that was asked for last
  private boolean anyPaused;

  /**
   * Makes one without lanes.
   *
   * @param maxLaneKey the configuration key of {@code maxLaneBytes}, for errors
   * @param maxLaneBytes the largest lane the far side may announce
   * @param replicas where incoming lanes get their memory
   */
  public LinkLanes(String maxLaneKey, long maxLaneBytes, Replicas replicas) {
    this.maxLaneKey = maxLaneKey;
    this.maxLaneBytes = maxLaneBytes;
    this.replicas = replicas;
  }

  // ---------------------------------------------------------------- outgoing

  /** Adds a lane. */
  public void add(ReplicaOutlet outlet) {
    outlets.add(outlet);
  }

  /** A lane has ended. */
  public void remove(ReplicaOutlet outlet) {
    outlets.remove(outlet);
  }

  /** The outgoing lanes; a view that may change at any time. */
  public List<ReplicaOutlet> outlets() {
    return outlets;
  }

  /** A lane, null if it is gone: what the far side says of a lane may cross with its FINISH. */
  public @Nullable ReplicaOutlet outletIfOpen(int lane) {
    for (ReplicaOutlet outlet : outlets) {
      if (outlet.id() == lane) {
        return outlet;
      }
    }
    return null;
  }

  /** Puts what the far side has to know; false if there is no room for all of it. */
  public boolean putControl(ByteBuffer out) {
    for (ReplicaOutlet outlet : outlets) {
      if (!outlet.putControl(out)) {
        return false;
      }
    }
    for (Inlet inlet : inlets) {
      if (!inlet.putControl(out)) {
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- incoming

  /**
   * Carries out a segment without payload.
   *
   * @return false if it is of a kind that does not speak of lanes
   */
  public boolean segment(int kind, int lane, long value, PacedWriter writer, LinkEvents events)
      throws IOException, BadSegmentException {
    switch (kind) {
      case Segment.CONSUMED -> consumed(lane, value);
      case Segment.OPEN_LANE -> open(lane, value, writer, events);
      case Segment.RESUME -> resume(lane, value, writer);
      case Segment.FINISH -> finish(lane, value, writer, events);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void consumed(int lane, long position) throws BadSegmentException {
    ReplicaOutlet outlet = outletIfOpen(lane);
    if (outlet != null) {
      outlet.consumed(position);
    }
  }

  private void resume(int lane, long position, PacedWriter writer) throws BadSegmentException {
    ReplicaOutlet outlet = outletIfOpen(lane);
    if (outlet != null) {
      writer.resume(outlet, position);
    }
  }

  private void open(int lane, long capacity, PacedWriter writer, LinkEvents events)
      throws IOException, BadSegmentException {
    for (Inlet inlet : inlets) {
      if (inlet.id() == lane) {
        throw new BadSegmentException("OPEN_LANE of lane " + lane + ", which is open");
      }
    }
    if (capacity > maxLaneBytes) {
      throw new BadSegmentException(
          "a lane too large: lane "
              + lane
              + " has "
              + capacity
              + " bytes; "
              + maxLaneKey
              + " of the reading node is "
              + maxLaneBytes);
    }
    if (capacity < 4096 || Long.bitCount(capacity) != 1) {
      throw new BadSegmentException(
          "OPEN_LANE of lane "
              + lane
              + " with "
              + Long.toUnsignedString(capacity)
              + " bytes; a power of two from 4096 is possible");
    }
    InboundLane inbound = events.inbound(lane, capacity, () -> replicas.allocate(capacity));
    inlets.add(new Inlet(inbound, replicas));
    writer.controlIsDue();
    writer.writeAtRoundEnd();
  }

  private void finish(int lane, long finalPosition, PacedWriter writer, LinkEvents events)
      throws BadSegmentException {
    Inlet inlet = inlet(lane, "FINISH");
    deliver(writer); // what came in the same read
    inlet.finish(finalPosition);
    inlets.remove(inlet);
    replicas.revoke(inlet.memory());
    last = null;
    events.finished(lane, finalPosition);
  }

  /** The open lane that {@code what} speaks of. */
  public Inlet inlet(int lane, String what) throws BadSegmentException {
    Inlet latest = last;
    if (latest != null && latest.id() == lane) {
      return latest;
    }
    for (Inlet inlet : inlets) {
      if (inlet.id() == lane) {
        last = inlet;
        return inlet;
      }
    }
    throw new BadSegmentException(what + " of lane " + lane + ", which is not open");
  }

  /** Hands on what is whole, of all lanes, and has reported what was consumed. */
  public void deliver(PacedWriter writer) {
    boolean reportNow = false;
    boolean paused = false;
    for (Inlet inlet : inlets) {
      reportNow |= inlet.deliver();
      paused |= inlet.isPaused();
    }
    anyPaused = paused;
    if (reportNow) {
      writer.controlIsDue();
      writer.writeAtRoundEnd();
    } else {
      writer.reportsCanWait();
    }
  }

  /** The link is down: the far side writes nothing any more. */
  public void revoke() {
    inlets.forEach(inlet -> replicas.revoke(inlet.memory()));
  }

  /** Whether handlers have no room for something that is here. */
  public boolean isPaused() {
    return anyPaused;
  }
}
