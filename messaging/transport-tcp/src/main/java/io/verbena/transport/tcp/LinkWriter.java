// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.replica.BadSegmentException;
import io.verbena.transport.replica.LinkLanes;
import io.verbena.transport.replica.PacedWriter;
import io.verbena.transport.replica.ReplicaOutlet;
import io.verbena.transport.replica.Segment;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that leaves on one link. One thread at a time writes, by a lock that no sender waits
 * for: who does not get it leaves a mark, and who has it looks for marks after it let go.
 */
final class LinkWriter extends PacedWriter {

  /** What one thread writes before it does something else. */
  private static final int BUDGET_BYTES = 1 << 20;

  private static final int SPINS = 100;

  /** What small pieces and headers are gathered in. */
  static final int BATCH_BYTES = 16 * 1024;

  private static final ByteBuffer NO_BATCH = ByteBuffer.allocateDirect(0);

  private static final VarHandle LOCK;

  static {
    try {
      LOCK = MethodHandles.lookup().findVarHandle(LinkWriter.class, "lock", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TcpLink link;
  private final TcpLoop loop;
  private final Wire wire;
  private final LinkLanes lanes;

  @SuppressWarnings("unused") // by LOCK: 1 while a thread writes
  private int lock;

  private volatile boolean marked; // there may be something to write
  private volatile boolean controlDue;
  private volatile boolean pingDue;
  private volatile boolean pongDue;
  private volatile boolean blocked; // the socket takes no more now
  private volatile boolean opened; // before that the wire belongs to the handshake
  private volatile boolean shut;

  // Under the lock.
  private ByteBuffer batch = NO_BATCH; // borrowed while bytes are in it
  private final ByteBuffer[] gather = new ByteBuffer[2];
  private @Nullable ByteBuffer payload; // follows the batch
  private boolean failed; // nothing is written any more but a last word
  private int nextOutlet;
  private long written;

  LinkWriter(TcpLink link, TcpLoop loop, Wire wire, LinkLanes lanes) {
    super(loop);
    this.link = link;
    this.loop = loop;
    this.wire = wire;
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
    return written;
  }

  /** The handshake is over: what has waited is written. */
  void open() {
    opened = true;
    write();
  }

  void add(ReplicaOutlet outlet) {
    lanes.add(outlet);
    controlIsDue();
    write();
  }

  @Override
  protected void finish(ReplicaOutlet outlet) {
    lock();
    outlet.letGo();
    unlock();
    controlIsDue();
    write();
  }

  @Override
  protected void remove(ReplicaOutlet outlet) {
    lanes.remove(outlet);
  }

  // ---------------------------------------------------------------- by the loop

  @Override
  protected void reportsCanWait() {
    controlIsDue(); // a few bytes of the next write
    loop.reportsWait();
  }

  @Override
  public void controlIsDue() {
    controlDue = true;
  }

  void ping() {
    pingDue = true;
    controlDue = true;
    write();
  }

  void pong() {
    pongDue = true;
    controlDue = true;
    writeAtRoundEnd();
  }

  /** Writes reports that nobody waits for. */
  void writeReports() {
    if (controlDue) {
      write();
    }
  }

  @Override
  protected void resume(ReplicaOutlet outlet, long position) throws BadSegmentException {
    lock();
    try {
      outlet.resume(position);
    } catch (IllegalStateException e) {
      return; // its memory was freed meanwhile
    } finally {
      unlock();
    }
    writeAtRoundEnd();
  }

  /** Says goodbye if that is possible; nothing is written and no memory touched from here on. */
  void shut(String reason, boolean sayBye) {
    lock();
    if (!shut) {
      shut = true;
      if (sayBye && !hasBatch()) {
        writeBye(reason);
      }
      payload = null;
      batch.position(batch.limit()); // nobody writes the rest
      giveBatchBack();
      Arrays.fill(gather, null);
    }
    unlock();
    lanes.outlets().forEach(ReplicaOutlet::wakeWaiters);
  }

  private void writeBye(String reason) {
    byte[] words = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(words.length, Segment.MAX_BYE_BYTES);
    takeBatch();
    Segment.put(batch, length, Segment.BYE, 0, 0);
    batch.put(words, 0, length).flip();
    try {
      wire.write(batch);
      wire.flush();
    } catch (IOException e) {
      // The far side finds out without words.
    }
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void write() {
    marked = true; // volatile, before the try: either we get the lock or its holder sees the mark
    while (marked && tryLock()) {
      boolean open;
      try {
        marked = false;
        open = writeBatches();
      } finally {
        giveBatchBack();
        unlock(); // volatile, before the look at the mark
      }
      if (!open) {
        return;
      }
    }
  }

  private boolean tryLock() {
    return (int) LOCK.getOpaque(this) == 0 && LOCK.compareAndSet(this, 0, 1);
  }

  /** Its holder does not block; but it may encrypt and write a whole batch, or lose its core. */
  private void lock() {
    for (int i = 0; !tryLock(); i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  private void unlock() {
    LOCK.setVolatile(this, 0); // pairs with the CAS; not later than the look at the mark
  }

  /** Returns false if the link cannot be written to now. */
  private boolean writeBatches() {
    if (shut || failed || !opened) {
      return false;
    }
    try {
      long stop = written + BUDGET_BYTES;
      while (hasBatch() || fillBatch()) {
        if (!writeBatch()) {
          return stayBlocked();
        }
        if (written - stop >= 0) {
          beginBurst(); // the loop goes on
          return false;
        }
      }
      blocked = false;
      return true;
    } catch (IOException e) {
      shutByFailure(e);
      return false;
    } catch (IllegalStateException e) {
      shutByFailure(new IOException("a lane's memory was freed", e));
      return false;
    }
  }

  private void shutByFailure(IOException e) {
    failed = true;
    link.fail("cannot write: " + e.getMessage());
  }

  private boolean stayBlocked() {
    if (!blocked) {
      blocked = true;
      beginBurst(); // the loop watches the socket
    }
    return false;
  }

  private boolean hasBatch() {
    return batch.hasRemaining() || payload != null || !wire.isFlushed();
  }

  /** Returns false if there is nothing to write. */
  private boolean fillBatch() {
    takeBatch();
    boolean isWhole = false;
    try {
      putAll();
      isWhole = true;
    } finally {
      if (!isWhole) { // it may end in the middle of a segment
        batch.clear();
        payload = null;
      }
      batch.flip();
    }
    return batch.hasRemaining();
  }

  private void putAll() {
    if (controlDue) {
      controlDue = false; // before looking: what comes later sets it again
      if (!putControl()) {
        controlDue = true;
      }
    }
    putData();
  }

  private void takeBatch() {
    if (batch.capacity() == 0) {
      batch = loop.batches().take();
    }
    batch.clear();
  }

  /** Gives the batch to other links unless there is something in it. */
  private void giveBatchBack() {
    if (batch.capacity() > 0 && !batch.hasRemaining()) {
      loop.batches().giveBack(batch);
      batch = NO_BATCH;
      gather[0] = NO_BATCH;
    }
  }

  private boolean putControl() {
    if (pingDue) {
      pingDue = false;
      Segment.put(batch, 0, Segment.PING, 0, 0);
    }
    if (pongDue) {
      pongDue = false;
      Segment.put(batch, 0, Segment.PONG, 0, 0);
    }
    return lanes.putControl(batch);
  }

  private void putData() {
    List<ReplicaOutlet> outlets = lanes.outlets();
    int count = outlets.size();
    for (int i = 0; i < count && payload == null; i++) {
      if (nextOutlet >= outlets.size()) {
        nextOutlet = 0;
        if (outlets.isEmpty()) {
          return;
        }
      }
      ByteBuffer put = ((TcpOutlet) outlets.get(nextOutlet++)).putData(batch);
      if (put != null && put != batch) {
        payload = put;
      }
    }
  }

  /** Returns false if the socket took only a part. */
  private boolean writeBatch() throws IOException {
    if (!wire.flush()) {
      return false;
    }
    ByteBuffer rest = payload;
    if (rest == null) {
      written += wire.write(batch);
      return !batch.hasRemaining() && wire.isFlushed();
    }
    if (batch.hasRemaining()) {
      gather[0] = batch;
      gather[1] = rest;
      written += wire.write(gather);
    } else {
      written += wire.write(rest);
    }
    if (rest.hasRemaining()) {
      return false;
    }
    payload = null;
    return wire.isFlushed();
  }
}
