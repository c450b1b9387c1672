// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import io.verbena.transport.AsymmetricFence;
import io.verbena.transport.TransportContext;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Decides which thread puts a link's bytes on the wire, and when.
 *
 * <p>The link is idle or gathers. Idle, each publication is written by its own thread. A second one
 * right after it begins a burst: then the loop looks after what is published, and sending threads
 * write only when much has piled up.
 *
 * <p>The loop's thread may stay in a handler. What is left to it does not wait for that: now and
 * then the node's clock writes, too.
 */
public abstract class PacedWriter {

  /** The receiving loop, as the writers of its links see it. */
  public interface RoundHost {

    /** Whether the calling thread is in a round: what it publishes is a handler's. */
    boolean isInRound();

    /** A link leaves bytes to the loop: wakes it if it sleeps. Any thread. */
    void burstBegan(PacedWriter writer);

    /** The loop calls {@link PacedWriter#roundEnds} when its round ends. By the role's holder. */
    void tellOfRoundEnd(PacedWriter writer);

    /** As {@link TransportContext#lookSoon}. */
    void lookSoon(BooleanSupplier look);
  }

  /** A publication this soon after a write belongs to a burst. */
  private static final long BURST_GAP_NS = 5_000;

  /** What handlers publish waits for the round's end no longer than this. */
  private static final long LONG_ROUND_NS = 50_000;

  /** How long the loop leaves a burst to the sending thread before it looks again. */
  public static final long LOOK_AGAIN_NS = 50_000;

  /** Looks without a finding after which a burst is over. */
  private static final int QUIET_LOOKS = 16;

  /** The loop found a trickle rather than a stream if it found less than this. */
  private static final int TRICKLE_BYTES = 4096;

  private final RoundHost loop;
  private final AtomicBoolean watched = new AtomicBoolean(); // by the clock

  // Bytes are left to the loop.
  private volatile boolean gathering;
  private volatile boolean dueAtRoundEnd;

  // Without order among senders; stale values cost a write or a wake-up, never a message.
  private long lastWriteEndNs;
  private boolean heardSinceWrite;
  private int senderWrites; // changes whenever a sender writes in a burst

  // By the loop.
  private int seenSenderWrites;
  private long nextLookNs;
  private int quietLooks;
  private boolean roundEndsKnown; // the loop will call roundEnds
  private boolean wroteInRound;

  /** Makes one. */
  protected PacedWriter(RoundHost loop) {
    this.loop = loop;
  }

  /** Writes what there is to write, unless another thread does. Any thread; never blocks. */
  public abstract void write();

  /** How many bytes have ever been written, as far as the caller can know. */
  protected abstract long written();

  /** Whether the wire takes no more now. */
  public abstract boolean isBlocked();

  /** Whether nothing will be written any more. */
  public abstract boolean isShut();

  /** Something other than lane bytes is to go with the next write. */
  public abstract void controlIsDue();

  /** There are reports that nobody waits for: they may go with the next write, or after a while. */
  protected abstract void reportsCanWait();

  /** The far side has said from where a lane goes on: {@link ReplicaOutlet#resume} in peace. */
  protected abstract void resume(ReplicaOutlet outlet, long position) throws BadSegmentException;

  /** A lane ends; its memory is not touched any more when this returns. */
  protected abstract void finish(ReplicaOutlet outlet);

  /** A lane has ended, and the far side knows. */
  protected abstract void remove(ReplicaOutlet outlet);

  // ---------------------------------------------------------------- by senders

  /** Whether what is published is left to the loop. */
  final boolean isGathering() {
    AsymmetricFence.light(); // pairs with heavy in endBurst: what was published is seen there
    return gathering;
  }

  /** Something arrived: what is sent now answers it and is no burst. */
  public final void heard() {
    heardSinceWrite = true;
  }

  /** A publication outside of a burst. */
  final void publishedWhileIdle(ReplicaOutlet outlet) {
    if (loop.isInRound()) {
      publishedInRound(outlet);
    } else if (heardSinceWrite || System.nanoTime() - lastWriteEndNs > BURST_GAP_NS) {
      writeNow();
    } else {
      beginBurst();
    }
  }

  /**
   * Handlers' messages: the first goes out at once, what follows when the round ends or is long. If
   * nothing follows there is no second write, which would carry but a report that can wait.
   */
  private void publishedInRound(ReplicaOutlet outlet) {
    if (wroteInRound
        && !outlet.isWorthWriting()
        && System.nanoTime() - lastWriteEndNs <= LONG_ROUND_NS) {
      writeAtRoundEnd();
      return;
    }
    wroteInRound = true;
    hearOfRoundEnd();
    writeNow();
  }

  private void writeNow() {
    heardSinceWrite = false;
    write();
    lastWriteEndNs = System.nanoTime();
  }

  /** From here on what is published is left to the loop. */
  protected final void beginBurst() {
    gathering = true; // volatile, before the look whether the loop sleeps
    loop.burstBegan(this);
    watch();
  }

  /** A sending thread writes although the link gathers. */
  final void writeForSender() {
    senderWrites++;
    write();
  }

  // ---------------------------------------------------------------- by the clock

  private boolean isLeftToLoop() {
    return gathering || dueAtRoundEnd;
  }

  private void watch() {
    if (!watched.get() && watched.compareAndSet(false, true)) {
      loop.lookSoon(this::writeForLoop);
    }
  }

  /** Returns whether to look again. */
  private boolean writeForLoop() {
    watched.set(false); // before looking: who leaves bytes from here on calls the clock
    if (isShut() || !isLeftToLoop()) {
      return false;
    }
    write();
    return watched.compareAndSet(false, true);
  }

  // ---------------------------------------------------------------- by the loop

  /** Writes at the end of the loop's round: more may come together. */
  public final void writeAtRoundEnd() {
    if (!dueAtRoundEnd) {
      dueAtRoundEnd = true; // volatile, before the look whether the clock knows
      hearOfRoundEnd();
      watch();
    }
  }

  private void hearOfRoundEnd() {
    if (!roundEndsKnown) {
      roundEndsKnown = true;
      loop.tellOfRoundEnd(this);
    }
  }

  /** The round ends. */
  public final void roundEnds() {
    roundEndsKnown = false;
    wroteInRound = false;
    if (dueAtRoundEnd) {
      writeDue();
    }
  }

  private void writeDue() {
    try {
      write();
      dueAtRoundEnd = false;
    } finally {
      if (dueAtRoundEnd) { // it failed: the next round tries again
        hearOfRoundEnd();
      }
    }
  }

  /** Looks after a burst; returns 1 if something was written. */
  public final int lookAfterBurst(long nowNs) {
    if (senderWrites != seenSenderWrites) {
      seenSenderWrites = senderWrites;
      nextLookNs = nowNs + LOOK_AGAIN_NS;
      quietLooks = 0;
      return 0;
    }
    if (nowNs - nextLookNs < 0) {
      return 0;
    }
    long before = written();
    write();
    long bytes = written() - before;
    if (bytes >= TRICKLE_BYTES) {
      nextLookNs = nowNs + LOOK_AGAIN_NS; // a stream: let it pile up
    }
    if (bytes > 0) {
      quietLooks = 0;
      return 1;
    }
    if (!isBlocked() && ++quietLooks >= QUIET_LOOKS) {
      endBurst();
    }
    return 0;
  }

  private void endBurst() {
    quietLooks = 0;
    gathering = false;
    // Pairs with light in isGathering: either the publisher sees the link idle and writes itself,
    // or what it published is found now.
    AsymmetricFence.heavy();
    long before = written();
    write();
    if (written() != before || isBlocked()) {
      gathering = true;
    }
  }

  /** Whether the loop must look after a burst. */
  public final boolean needsLooks() {
    return gathering;
  }
}
