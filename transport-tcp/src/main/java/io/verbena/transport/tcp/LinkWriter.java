// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.AsymmetricFence;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Everything that leaves on one link. One thread at a time writes, by a lock that no sender waits
 * for: who does not get it leaves a mark, and who has it looks for marks after it let go.
 *
 * <p>The link is idle or gathers. Idle, each publication is written by its own thread. A second one
 * right after it begins a burst: then the loop looks after what is published, and sending threads
 * write only when much has piled up.
 */
final class LinkWriter {

  /** A publication this soon after a write belongs to a burst. */
  private static final long BURST_GAP_NS = 5_000;

  /** What handlers publish waits for the round's end no longer than this. */
  private static final long LONG_ROUND_NS = 50_000;

  /** How long the loop leaves a burst to the sending thread before it looks again. */
  static final long LOOK_AGAIN_NS = 50_000;

  /** Looks without a finding after which a burst is over. */
  private static final int QUIET_LOOKS = 16;

  /** The loop found a trickle rather than a stream if it found less than this. */
  private static final int TRICKLE_BYTES = 4096;

  /** What one thread writes before it does something else. */
  private static final int BUDGET_BYTES = 1 << 20;

  private static final int BATCH_BYTES = 16 * 1024;

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
  private final SocketChannel channel;
  private final CopyOnWriteArrayList<TcpOutlet> outlets = new CopyOnWriteArrayList<>();

  @SuppressWarnings("unused") // by LOCK: 1 while a thread writes
  private int lock;

  private volatile boolean marked; // there may be something to write
  private volatile boolean controlDue;
  private volatile boolean pingDue;
  private volatile boolean pongDue;
  private volatile boolean gathering;
  private volatile boolean blocked; // the socket takes no more now
  private volatile boolean opened; // before that the channel belongs to the handshake
  private volatile boolean shut;

  // Without order among senders; stale values cost a write or a wake-up, never a message.
  private long lastWriteEndNs;
  private boolean heardSinceWrite;
  private int senderWrites; // changes whenever a sender writes in a burst

  // Under the lock.
  private final ByteBuffer batch =
      ByteBuffer.allocateDirect(BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private final ByteBuffer[] gather = new ByteBuffer[2];
  private @Nullable ByteBuffer payload; // follows the batch
  private int nextOutlet;
  private long written;

  // By the loop.
  private int seenSenderWrites;
  private long nextLookNs;
  private int quietLooks;
  private boolean dueAtRoundEnd;

  LinkWriter(TcpLink link, TcpLoop loop, SocketChannel channel) {
    this.link = link;
    this.loop = loop;
    this.channel = channel;
  }

  // ---------------------------------------------------------------- state

  boolean isGathering() {
    AsymmetricFence.light(); // pairs with heavy in endBurst: what was published is seen there
    return gathering;
  }

  boolean isBlocked() {
    return blocked;
  }

  boolean isShut() {
    return shut;
  }

  /** Something arrived: what is sent now answers it and is no burst. */
  void heard() {
    heardSinceWrite = true;
  }

  /** The handshake is over: what has waited is written. */
  void open() {
    opened = true;
    write();
  }

  // ---------------------------------------------------------------- by senders

  void add(TcpOutlet outlet) {
    outlets.add(outlet);
    controlIsDue();
    write();
  }

  /** A publication outside of a burst. */
  void publishedWhileIdle(TcpOutlet outlet) {
    if (loop.isInRound()) {
      publishedInRound(outlet);
    } else if (heardSinceWrite || System.nanoTime() - lastWriteEndNs > BURST_GAP_NS) {
      writeNow();
    } else {
      beginBurst();
    }
  }

  /**
   * Handlers' messages: the first goes out at once, what follows when the round ends or is long.
   */
  private void publishedInRound(TcpOutlet outlet) {
    if (!dueAtRoundEnd
        || outlet.isWorthWriting()
        || System.nanoTime() - lastWriteEndNs > LONG_ROUND_NS) {
      writeNow();
      writeAtRoundEnd();
    }
  }

  private void writeNow() {
    heardSinceWrite = false;
    write();
    lastWriteEndNs = System.nanoTime();
  }

  private void beginBurst() {
    gathering = true; // volatile, before the look whether the loop sleeps
    loop.burstBegan();
  }

  /** A sending thread writes although the link gathers. */
  void writeForSender() {
    senderWrites++;
    write();
  }

  /** A lane ends; its memory is not touched any more when this returns. */
  void finish(TcpOutlet outlet) {
    lock();
    outlet.letGo();
    unlock();
    controlIsDue();
    write();
  }

  void remove(TcpOutlet outlet) {
    outlets.remove(outlet);
  }

  // ---------------------------------------------------------------- by the loop

  /** Something other than lane bytes is to go with the next write. */
  void controlIsDue() {
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

  /** Writes at the end of the loop's round: more may come together. */
  void writeAtRoundEnd() {
    dueAtRoundEnd = true;
    loop.writeAtRoundEnd();
  }

  /** Writes reports that nobody waits for. */
  void writeReports() {
    if (controlDue) {
      write();
    }
  }

  /** The round ends. */
  void roundEnds() {
    if (dueAtRoundEnd) {
      dueAtRoundEnd = false;
      write();
    }
  }

  /** Looks after a burst; returns 1 if something was written. */
  int lookAfterBurst(long nowNs) {
    if (senderWrites != seenSenderWrites) {
      seenSenderWrites = senderWrites;
      nextLookNs = nowNs + LOOK_AGAIN_NS;
      quietLooks = 0;
      return 0;
    }
    if (nowNs - nextLookNs < 0) {
      return 0;
    }
    long before = written;
    write();
    long bytes = written - before;
    if (bytes >= TRICKLE_BYTES) {
      nextLookNs = nowNs + LOOK_AGAIN_NS; // a stream: let it pile up
    }
    if (bytes > 0) {
      quietLooks = 0;
      return 1;
    }
    if (!blocked && ++quietLooks >= QUIET_LOOKS) {
      endBurst();
    }
    return 0;
  }

  private void endBurst() {
    quietLooks = 0;
    gathering = false;
    // Pairs with light in isGathering: either the publisher sees the link idle and writes itself,
    // or
    // what it published is found now.
    AsymmetricFence.heavy();
    long before = written;
    write();
    if (written != before || blocked) {
      gathering = true;
    }
  }

  boolean needsLooks() {
    return gathering;
  }

  /** A lane, null if it is gone: what the far side says of a lane may cross with its FINISH. */
  @Nullable TcpOutlet outletIfOpen(int lane) {
    for (TcpOutlet outlet : outlets) {
      if (outlet.id() == lane) {
        return outlet;
      }
    }
    return null;
  }

  void resume(TcpOutlet outlet, long position) throws BadSegmentException {
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
      if (sayBye && !batch.hasRemaining() && payload == null) {
        writeBye(reason);
      }
      payload = null;
      Arrays.fill(gather, null);
    }
    unlock();
    for (TcpOutlet outlet : outlets) {
      outlet.wakeWaiters();
    }
  }

  private void writeBye(String reason) {
    byte[] words = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(words.length, Segment.MAX_BYE_BYTES);
    batch.clear();
    Segment.put(batch, length, Segment.BYE, 0, 0);
    batch.put(words, 0, length).flip();
    try {
      channel.write(batch);
    } catch (IOException e) {
      // The far side finds out without words.
    }
  }

  // ---------------------------------------------------------------- writing

  /** Writes what there is to write, unless another thread does. */
  void write() {
    marked = true; // volatile, before the try: either we get the lock or its holder sees the mark
    while (marked && tryLock()) {
      boolean open;
      try {
        marked = false;
        open = writeBatches();
      } finally {
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

  private void lock() {
    while (!tryLock()) {
      Thread.onSpinWait(); // its holder is in one non-blocking write
    }
  }

  private void unlock() {
    LOCK.setVolatile(this, 0); // pairs with the CAS; not later than the look at the mark
  }

  /** Returns false if the link cannot be written to now. */
  private boolean writeBatches() {
    if (shut || !opened) {
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
    return batch.hasRemaining() || payload != null;
  }

  /** Returns false if there is nothing to write. */
  private boolean fillBatch() {
    batch.clear();
    if (controlDue) {
      controlDue = false; // before looking: what comes later sets it again
      if (!putControl()) {
        controlDue = true;
      }
    }
    putData();
    batch.flip();
    return batch.hasRemaining();
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
    for (TcpOutlet outlet : outlets) {
      if (!outlet.putControl(batch)) {
        return false;
      }
    }
    return link.putControl(batch);
  }

  private void putData() {
    int lanes = outlets.size();
    for (int i = 0; i < lanes && payload == null; i++) {
      if (nextOutlet >= outlets.size()) {
        nextOutlet = 0;
        if (outlets.isEmpty()) {
          return;
        }
      }
      ByteBuffer put = outlets.get(nextOutlet++).putData(batch);
      if (put != null && put != batch) {
        payload = put;
      }
    }
  }

  /** Returns false if the socket took only a part. */
  private boolean writeBatch() throws IOException {
    ByteBuffer rest = payload;
    if (rest == null) {
      written += channel.write(batch);
      return !batch.hasRemaining();
    }
    if (batch.hasRemaining()) {
      gather[0] = batch;
      gather[1] = rest;
      written += channel.write(gather);
    } else {
      written += channel.write(rest);
    }
    if (rest.hasRemaining()) {
      return false;
    }
    payload = null;
    return true;
  }
}
