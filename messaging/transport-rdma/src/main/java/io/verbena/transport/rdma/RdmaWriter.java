// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.LaneMemory;
import io.verbena.transport.rdma.internal.Endpoint;
import io.verbena.transport.replica.BadSegmentException;
import io.verbena.transport.replica.LinkLanes;
import io.verbena.transport.replica.PacedWriter;
import io.verbena.transport.replica.ReplicaOutlet;
import io.verbena.transport.replica.Segment;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Everything that leaves on one link. Lanes' bytes are posted by the library, by whichever thread
 * calls it; what the far side has to know of lanes goes on the control stream.
 */
final class RdmaWriter extends PacedWriter {

  private static final int BATCH_BYTES = 4096;

  private final long id;
  private final Endpoint endpoint;
  private final RdmaLoop loop;
  private final RdmaLink link;
  private final LinkLanes lanes;

  private final AtomicBoolean controlLock = new AtomicBoolean();
  private volatile boolean controlDue;
  private volatile boolean opened; // before that the control stream belongs to the handshake
  private volatile boolean blocked; // the library goes on by itself
  private volatile boolean shut;

  /** Under the control lock: what there was no room for. */
  private final ByteBuffer batch =
      ByteBuffer.allocateDirect(BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  private final MemorySegment batchMemory = MemorySegment.ofBuffer(batch.duplicate().clear());

  RdmaWriter(long id, Endpoint endpoint, RdmaLoop loop, RdmaLink link, LinkLanes lanes) {
    super(loop);
    this.id = id;
    this.endpoint = endpoint;
    this.loop = loop;
    this.link = link;
    this.lanes = lanes;
  }

  @Override
  public boolean isBlocked() {
    return blocked;
  }

  @Override
  public boolean isShut() {
    return shut;
  }

  @Override
  protected long written() {
    long sum = 0;
    for (ReplicaOutlet outlet : lanes.outlets()) {
      sum += ((RdmaOutlet) outlet).sentOrZero();
    }
    return sum;
  }

  @Override
  public void controlIsDue() {
    controlDue = true;
  }

  @Override
  protected void reportsCanWait() {
    loop.reportsWait(link); // with the next write they would be one more send
  }

  /** The handshake is over: what has waited is written. */
  void open() {
    opened = true;
    write();
  }

  // ---------------------------------------------------------------- lanes

  void add(ReplicaOutlet outlet) {
    lanes.add(outlet);
    controlIsDue();
    write();
  }

  @Override
  protected synchronized void resume(ReplicaOutlet outlet, long position)
      throws BadSegmentException {
    try {
      outlet.resume(position);
    } catch (IllegalStateException e) {
      return; // its memory was freed meanwhile
    }
    writeAtRoundEnd();
  }

  /** Under this object's lock, as {@link #resume} holds it. */
  void openLane(RdmaOutlet outlet, LaneMemory memory, long position, long boundary) {
    if (shut) {
      return;
    }
    try {
      endpoint.openLane(id, outlet.id(), memory, position, boundary);
    } catch (IOException e) {
      link.close("lane " + outlet.id() + " cannot be sent: " + e.getMessage());
    }
  }

  /**
   * The far side grants its ring to a lane, in two segments.
   *
   * @return false if the segment is of another kind
   */
  boolean place(int kind, int lane, long value) throws BadSegmentException {
    if (kind != Segment.PLACE_AT && kind != Segment.PLACE_KEY) {
      return false;
    }
    if (!(lanes.outletIfOpen(lane) instanceof RdmaOutlet outlet)) {
      return true; // it may have crossed with FINISH
    }
    if (kind == Segment.PLACE_AT) {
      outlet.placeAt(value);
    } else if (value >>> 32 != 0 || outlet.placeAddress() == 0) {
      throw new BadSegmentException(
          "PLACE_KEY of lane " + lane + " is no key, or no address came before");
    } else {
      endpoint.placeLane(id, lane, outlet.placeAddress(), (int) value);
    }
    return true;
  }

  @Override
  protected void finish(ReplicaOutlet outlet) {
    synchronized (this) {
      outlet.letGo();
      endpoint.closeLane(id, outlet.id());
    }
    controlIsDue();
    write();
  }

  @Override
  protected void remove(ReplicaOutlet outlet) {
    lanes.remove(outlet);
  }

  /** Nothing is written and no memory touched from here on. */
  void shut() {
    synchronized (this) {
      shut = true;
      for (ReplicaOutlet outlet : lanes.outlets()) {
        endpoint.closeLane(id, outlet.id());
      }
    }
    lanes.outlets().forEach(ReplicaOutlet::wakeWaiters);
  }

  // ---------------------------------------------------------------- writing

  /** Writes, and all reports with it. */
  void writeReports() {
    controlIsDue();
    write();
  }

  @Override
  public void write() {
    if (!opened || shut) {
      return;
    }
    while (controlDue && controlLock.compareAndSet(false, true)) {
      boolean all;
      try {
        all = writeControl();
      } finally {
        controlLock.set(false); // before the look at the mark: who set it and saw us may go
      }
      if (!all) {
        break;
      }
    }
    blocked = endpoint.pump(id);
  }

  /** Returns false if there is no room now; the mark stays. */
  private boolean writeControl() {
    controlDue = false; // before looking: what comes later sets it again
    boolean all = false;
    try {
      if (batch.hasRemaining() && !flush()) {
        return false;
      }
      boolean putAll;
      do {
        batch.clear();
        putAll = lanes.putControl(batch);
        batch.flip();
        if (!flush()) {
          return false;
        }
      } while (!putAll);
      all = true;
      return true;
    } finally {
      if (!all) {
        controlDue = true;
        writeAgainSoon();
      }
    }
  }

  private boolean flush() {
    if (batch.hasRemaining()) {
      int taken = endpoint.write(id, batchMemory.asSlice(batch.position(), batch.remaining()));
      batch.position(batch.position() + taken);
    }
    return !batch.hasRemaining();
  }

  /** The control ring is full: the loop looks again. */
  private void writeAgainSoon() {
    beginBurst();
  }
}
