// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When a shared lane moves from one ring to another: to a larger one when it is full, to a small
 * one when nothing has been sent for long. What lies in the former ring is read before what comes
 * in the next one, as the former ring's last frame names the next.
 */
final class RingMoves {

  /** Where rings come from, and what their sizes are. */
  interface Source {

    /** The ring that a lane begins in. */
    long leastBytes();

    /** The largest ring. */
    long mostBytes();

    /** How long nothing is sent before a ring that has grown is given back. */
    long idleNs();

    /**
     * Makes a ring, which follows the session's links from here on.
     *
     * @param first whether it is the lane's first one
     * @throws IOException if there is no memory for it, or no id
     */
    Ring open(SharedLane lane, boolean first, long capacity) throws IOException;

    /** Whether there are ids enough to go on in a smaller ring, and in larger ones afterwards. */
    boolean mayShrink();

    /** Frees a ring of which everything has been consumed. */
    void close(Ring ring);
  }

  private static final Logger LOG = System.getLogger("io.verbena");
  private static final int GROWTH = 16;
  private static final long RETRY_NS = 1_000_000_000;

  private final SharedLane lane;
  private final Source rings;

  /** Held while the lane moves, or rings it has left are closed. Never while waiting for a peer. */
  private final ReentrantLock moving = new ReentrantLock();

  private volatile List<Ring> left = List.of(); // of them something may not be consumed
  private boolean failed; // under the lock, as what follows
  private long failedNs;
  private int failures;

  // By the node's clock.
  private @Nullable Ring idleRing;
  private long idleTail;
  private long idleSinceNs;

  RingMoves(SharedLane lane, Source rings) {
    this.lane = lane;
    this.rings = rings;
  }

  /** The rings that were left, then those given. */
  List<Ring> all(List<Ring> current) {
    List<Ring> all = new ArrayList<>(left);
    all.addAll(current);
    return all;
  }

  /** Whether everything in the rings that were left has been consumed. */
  boolean areDrained() {
    for (Ring ring : left) {
      if (!ring.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /** Opens the lane's first ring. */
  void begin() throws IOException {
    moving.lock();
    try {
      if (lane.ring() == null) {
        moveTo(rings.leastBytes());
      }
    } finally {
      moving.unlock();
    }
  }

  /** Whether the lane is in a larger ring now than before: it was full, or too small. */
  boolean grow() {
    Ring seen = lane.ring();
    if (seen != null && seen.capacity() >= rings.mostBytes()) {
      return false;
    }
    moving.lock();
    try {
      return lane.ring() != seen || (!hasJustFailed() && tryMoveTo(larger(seen)));
    } finally {
      moving.unlock();
    }
  }

  private long larger(@Nullable Ring than) {
    return than == null
        ? rings.leastBytes()
        : Math.min(rings.mostBytes(), than.capacity() * GROWTH);
  }

  private boolean hasJustFailed() {
    return failed && System.nanoTime() - failedNs < RETRY_NS;
  }

  private boolean tryMoveTo(long capacity) {
    try {
      boolean moved = moveTo(capacity);
      failed = false;
      return moved;
    } catch (IOException e) { // the lane stays as it is: senders wait for room in it
      failed = true;
      failedNs = System.nanoTime();
      if (Long.bitCount(++failures) == 1) {
        LOG.log(
            Level.WARNING,
            "a lane cannot grow to {0} bytes and stays as it is: {1}",
            String.valueOf(capacity),
            e.getMessage());
      }
      return false;
    }
  }

  /** Under the lock. */
  private boolean moveTo(long capacity) throws IOException {
    Ring former = lane.ring();
    if (former != null && lane.isSealed()) {
      return false; // a larger ring would be as closed; it is not full that the lane is
    }
    Ring next = rings.open(lane, former == null, capacity);
    List<Ring> now = left;
    Runnable leave =
        () -> {
          if (former != null) {
            left = all(now, former); // before the move: what is in it is never overlooked
          }
        };
    if (lane.tryMoveTo(next, leave)) {
      return true;
    }
    rings.close(next);
    return false;
  }

  private static List<Ring> all(List<Ring> rings, Ring last) {
    List<Ring> all = new ArrayList<>(rings);
    all.add(last);
    return List.copyOf(all);
  }

  // ---------------------------------------------------------------- by the node's clock

  /** Closes the rings of which everything has been consumed. */
  void closeDrained() {
    if (left.isEmpty() || !moving.tryLock()) {
      return;
    }
    try {
      List<Ring> rest = new ArrayList<>();
      for (Ring ring : left) {
        if (ring.isDrained()) {
          rings.close(ring);
        } else {
          rest.add(ring);
        }
      }
      left = List.copyOf(rest);
    } finally {
      moving.unlock();
    }
  }

  /** Whether nothing has been sent for so long that a larger ring than the first is a waste. */
  boolean isLongIdle(long nowNs) {
    Ring now = lane.ring();
    if (now == null || now.capacity() <= rings.leastBytes()) {
      return false;
    }
    if (now != idleRing || now.tail() != idleTail || !lane.isDrained()) {
      idleRing = now;
      idleTail = now.tail();
      idleSinceNs = nowNs;
      return false;
    }
    return nowNs - idleSinceNs >= rings.idleNs() && rings.mayShrink();
  }

  /** Moves to a ring of the first size. */
  void shrink() {
    if (moving.tryLock()) {
      try {
        tryMoveTo(rings.leastBytes());
      } finally {
        moving.unlock();
      }
    }
  }
}
