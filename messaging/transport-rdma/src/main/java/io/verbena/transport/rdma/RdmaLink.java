// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.Link;
import io.verbena.transport.LinkEvents;
import io.verbena.transport.Outlet;
import io.verbena.transport.Transport;
import io.verbena.transport.rdma.internal.Arrivals;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.replica.BadSegmentException;
import io.verbena.transport.replica.Inlet;
import io.verbena.transport.replica.LinkLanes;
import io.verbena.transport.replica.Segment;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One connection to a peer: first a stream for the handshake, then a link of the node. */
final class RdmaLink implements Link {

  private static final Logger LOG = System.getLogger("io.verbena.transport.rdma");

  private final RdmaTransport transport;
  private final RdmaLoop loop;
  private final Endpoint endpoint;
  private final long id;
  private final LinkLanes lanes;
  private final RdmaWriter writer;
  private final ControlInput control = new ControlInput();

  private volatile String description = "rdma";
  private volatile @Nullable LinkEvents events; // set by start
  private volatile @Nullable String endReason; // set when it is down
  private volatile boolean closing;

  // By the loop.
  private boolean isDown;
  private boolean deliveryDue;

  RdmaLink(RdmaTransport transport, RdmaLoop loop, Endpoint endpoint, long id, LinkLanes lanes) {
    this.transport = transport;
    this.loop = loop;
    this.endpoint = endpoint;
    this.id = id;
    this.lanes = lanes;
    this.writer = new RdmaWriter(id, endpoint, loop, this, lanes);
  }

  /** What the far side's address is, for logs. */
  void describe(boolean dialled, String farAddress) {
    description = "rdma " + transport.localAddress() + (dialled ? " to " : " from ") + farAddress;
  }

  ControlChannel channel() {
    return new ControlChannel(id, endpoint, this, control);
  }

  /** From here on the loop moves what is the node's. */
  void start(LinkEvents newEvents) {
    events = newEvents;
    writer.open();
    loop.started(this);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public String describe() {
    return description;
  }

  RdmaWriter writer() {
    return writer;
  }

  boolean isUp() {
    return !closing && endReason == null;
  }

  /** Waits until it is down, or the time is over. */
  void awaitDown(long timeoutNs) {
    control.awaitEnd(timeoutNs);
  }

  String endReason() {
    String reason = endReason;
    return reason == null ? "it was closed" : reason;
  }

  @Override
  public Outlet attach(int laneId, LaneMemory memory) {
    RdmaOutlet outlet = new RdmaOutlet(laneId, memory, writer);
    writer.add(outlet);
    return outlet;
  }

  @Override
  public void reportConsumed() {
    writer.writeReports();
  }

  @Override
  public void close(String reason) {
    closing = true;
    endpoint.closeLink(id, reason);
  }

  // ---------------------------------------------------------------- by the loop

  /** Bytes arrived; {@link #deliver} follows when the round has taken all of them. */
  void arrived(Arrivals from, int index) {
    if (!isUp()) {
      return;
    }
    writer.heard();
    try {
      if (from.stream(index) == 0) {
        control(from, index);
      } else {
        data(from, index);
      }
    } catch (IOException | BadSegmentException | RuntimeException | Error e) {
      cannotTake(e);
    }
  }

  /** It costs this link alone, which takes no more; the session goes on from here on its next. */
  void cannotTake(Throwable failure) {
    switch (failure) {
      case BadSegmentException bad -> broken(String.valueOf(bad.getMessage()));
      case IOException end -> close(String.valueOf(end.getMessage()));
      case IllegalStateException freed ->
          close("the session's memory cannot be used: " + freed.getMessage());
      default -> {
        closing = true; // whatever fails from here on: nothing behind it is taken
        LOG.log(Level.ERROR, description + " is closed: what arrived could not be taken", failure);
        close("what arrived could not be taken: " + failure);
      }
    }
  }

  private void control(Arrivals from, int index) throws IOException, BadSegmentException {
    long position = from.position(index);
    for (int piece = 0; piece < from.pieceCount(index); piece++) {
      int length = from.pieceLength(index, piece);
      control.append(
          position, from.memory().asSlice(from.pieceStart(index, piece), length).asByteBuffer());
      position += length;
    }
    takeSegments();
  }

  /** Takes what is on the control stream once it belongs to us. */
  void takeSegments() throws IOException, BadSegmentException {
    LinkEvents to = events;
    ByteBuffer in = to == null ? null : control.take(Segment.HEADER_BYTES);
    if (to == null || in == null) {
      return;
    }
    while (in.hasRemaining() && !closing) {
      int length = in.getInt();
      int kind = in.get();
      int zero = in.get();
      int lane = in.getShort() & 0xFFFF;
      long value = in.getLong();
      if (zero != 0 || length != 0) {
        throw new BadSegmentException(Segment.nameOf(kind) + " with a payload or reserved bits");
      }
      if (!writer.place(kind, lane, value) && !lanes.segment(kind, lane, value, writer, to)) {
        throw new BadSegmentException("a segment of unknown kind " + kind);
      }
      if (kind == Segment.OPEN_LANE) {
        // Messages that came by the former link may wait in the lane for handlers, and the far side
        // does not send them again: no arrival over this link would have them delivered.
        deliverLater();
      }
    }
  }

  private void data(Arrivals from, int index) throws BadSegmentException {
    Inlet inlet = lanes.inlet(from.stream(index) - 1, "DATA");
    long position = from.position(index);
    if (from.pieceCount(index) == 0) {
      inlet.tookPlaced(position, from.length(index));
    }
    for (int piece = 0; piece < from.pieceCount(index); piece++) {
      int length = from.pieceLength(index, piece);
      inlet.takeAcrossEnd(position, from.memory(), from.pieceStart(index, piece), length);
      position += length;
    }
    deliverLater();
  }

  private void deliverLater() {
    if (!deliveryDue) {
      deliveryDue = true;
      loop.deliverAtRoundEnd(this);
    }
  }

  /** Hands on what is whole. Returns whether something is left that handlers have no room for. */
  boolean deliver() {
    deliveryDue = false;
    if (isDown) {
      return false;
    }
    try {
      lanes.deliver(writer);
    } catch (RuntimeException | Error e) {
      cannotTake(e);
    }
    return lanes.isPaused();
  }

  /** The node was started: what has waited is taken. */
  void takeWhatWaited() {
    try {
      if (endReason == null) {
        takeSegments();
      }
    } catch (IOException | BadSegmentException | RuntimeException | Error e) {
      cannotTake(e);
    }
    String reason = endReason;
    if (reason != null) {
      tellDown(reason);
    }
  }

  private void broken(String what) {
    LinkEvents to = events;
    close("protocol error: " + what);
    if (to != null) {
      to.broken(what);
    }
  }

  /** The library says that it is down. */
  void goDown(String reason) {
    if (endReason == null) {
      endReason = reason;
      control.end("the link went down: " + reason);
      writer.shut();
      lanes.revoke();
    }
    tellDown(reason);
  }

  /** Once the node knows the link. */
  private void tellDown(String reason) {
    LinkEvents to = events;
    if (to != null && !isDown) {
      isDown = true;
      to.down(reason);
    }
  }
}
