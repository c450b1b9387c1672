// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is used no more and is freed a while later. The JVM interrupts a thread that is in
 * the middle of an access to memory whose arena is closed. By the time this memory is freed, every
 * thread has seen that the session is over or the ring left, and has let go of it. Any thread.
 */
public final class RetiredMemory implements AutoCloseable {

  /** How long memory is kept. */
  public static final long KEPT_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * @param sinceNs when it was retired
   * @param release frees it
   */
  private record Piece(long sinceNs, long bytes, Runnable release) {}

  private final long mostBytes;
  private final Deque<Piece> pieces = new ArrayDeque<>(); // the oldest first; guarded by this
  private long keptBytes; // guarded by this, as what follows
  private boolean closed;

  /**
   * Keeps a limited amount of memory.
   *
   * @param mostBytes what goes beyond is freed at once, the oldest first; a single piece may be
   *     larger
   */
  public RetiredMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Has memory freed a while after {@code nowNs}; at once if this is closed.
   *
   * @param release frees it, whatever thread calls that
   */
  public void add(long nowNs, long bytes, Runnable release) {
    synchronized (this) {
      pieces.add(new Piece(nowNs, bytes, release));
      keptBytes += bytes;
    }
    freeBeyondLimit();
  }

  private void freeBeyondLimit() {
    for (Piece piece = takeBeyondLimit(); piece != null; piece = takeBeyondLimit()) {
      piece.release().run(); // not under the lock: it may wait for who is inside
    }
  }

  private synchronized @Nullable Piece takeBeyondLimit() {
    boolean beyond = closed || (keptBytes > mostBytes && pieces.size() > 1);
    return beyond ? takeOldest() : null;
  }

  /** Frees what has been kept for long enough. */
  public void tick(long nowNs) {
    for (Piece due = takeDue(nowNs); due != null; due = takeDue(nowNs)) {
      due.release().run();
    }
  }

  private synchronized @Nullable Piece takeDue(long nowNs) {
    Piece oldest = pieces.peek();
    return oldest != null && nowNs - oldest.sinceNs() >= KEPT_NS ? takeOldest() : null;
  }

  private @Nullable Piece takeOldest() {
    Piece oldest = pieces.poll();
    keptBytes -= oldest == null ? 0 : oldest.bytes();
    return oldest;
  }

  /** Whether nothing is kept. */
  public synchronized boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** Frees all, and from here on what is added at once. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    freeBeyondLimit();
  }
}
