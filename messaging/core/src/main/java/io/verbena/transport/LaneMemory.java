// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory of one lane: a page of control words, then the ring.
 *
 * <pre>
 * offset  size  written by  what
 *      0     8  writer      hint: a recent tail position, published once per chunk
 *     64     8  reader      consumed position: below it the writer may overwrite
 *    128     4  both        1 while a writer sleeps until more is consumed (a futex word for shm)
 *    192  3904  transport   free for the transport's own use
 *   4096     n  writer      the ring; position p lies at 4096 + (p mod n)
 * </pre>
 *
 * <p>Positions are 64-bit stream positions that never wrap; every position is a multiple of 8. A
 * frame starts with an 8-byte header whose low 32 bits are the frame's length in bytes; the next
 * frame follows at the next multiple of 8. The header is written last, with release; the 8 bytes
 * after the last published frame are zero. No frame crosses the ring's end: a padding frame fills
 * up what is left.
 */
public final class LaneMemory implements AutoCloseable {

  /** Where the ring starts. */
  public static final int DATA_OFFSET = 4096;

  /** Where the transport's own words may start. */
  public static final int TRANSPORT_OFFSET = 192;

  private static final long HINT = 0;
  private static final long CONSUMED = 64;

  /** Where the word lies by which a waiting writer asks to be woken. */
  public static final long WAITING_OFFSET = 128;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment segment;
  private final long capacity;
  private final long mask;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Wraps memory. Give native segments made by {@code MemorySegment.ofAddress(..).reinterpret(..)}
   * or an arena, not mapped ones: then all lanes have the same class and the JIT sees one shape.
   *
   * @param segment {@link #DATA_OFFSET} plus capacity bytes, 64-byte aligned, with a shared scope
   * @param release frees the memory; called at most once
   */
  public LaneMemory(MemorySegment segment, Runnable release) {
    this.capacity = segment.byteSize() - DATA_OFFSET;
    if (capacity < 4096 || Long.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "a lane of " + capacity + " bytes; its size must be a power of two of at least 4096");
    }
    this.segment = segment;
    this.mask = capacity - 1;
    this.release = release;
  }

  /** Control page and ring. */
  public MemorySegment segment() {
    return segment;
  }

  /** What it takes: control page and ring, in bytes. */
  public long bytes() {
    return segment.byteSize();
  }

  /** The ring's size in bytes, a power of two. */
  public long capacity() {
    return capacity;
  }

  /** Where a position lies in {@link #segment()}. */
  public long offsetOf(long position) {
    return DATA_OFFSET + (position & mask);
  }

  /** The reader's consumed position. Acquire: pairs with {@link #consumed(long)}. */
  public long consumed() {
    return (long) LONG.getAcquire(segment, CONSUMED);
  }

  /** Publishes the consumed position. Release: the reader's reads happen before it is seen. */
  public void consumed(long position) {
    LONG.setRelease(segment, CONSUMED, position);
  }

  /** A recent tail position; everything below it is published. Acquire. */
  public long hint() {
    return (long) LONG.getAcquire(segment, HINT);
  }

  /** Publishes a recent tail position. Release: pairs with {@link #hint()}. */
  public void hint(long position) {
    LONG.setRelease(segment, HINT, position);
  }

  /** A frame's header, 0 if none is published there. Acquire: the frame's bytes are seen too. */
  public long header(long position) {
    return (long) LONG.getAcquire(segment, DATA_OFFSET + (position & mask));
  }

  /**
   * Announces that a writer is about to sleep until more is consumed. The writer must look at the
   * consumed position again afterwards. Volatile: pairs with the fence in {@link #takeWaiting}.
   */
  public void announceWaiting() {
    INT.setVolatile(segment, WAITING_OFFSET, 1);
  }

  /** Whether a writer is seen to sleep; one that announces it just now may be overlooked. */
  public boolean isWaiting() {
    return (int) INT.getOpaque(segment, WAITING_OFFSET) != 0;
  }

  /**
   * Whether a writer sleeps and must be woken now; clears the announcement. The reader calls it
   * after a {@link #consumed(long)}: after each, or after the last one if {@link #isWaiting} was
   * asked after the others.
   */
  public boolean takeWaiting() {
    // Pairs with announceWaiting: either the writer sees the consumed position or we see its word.
    VarHandle.fullFence();
    if ((int) INT.getOpaque(segment, WAITING_OFFSET) == 0) {
      return false;
    }
    INT.setVolatile(segment, WAITING_OFFSET, 0);
    return true;
  }

  /**
   * The end of the published bytes that start at {@code from}: for transports that copy the ring.
   * Stops at the ring's end, so that {@code [from, result)} is contiguous in memory.
   *
   * @param from where a frame starts
   * @param maxBytes stop at the first frame end at or beyond {@code from + maxBytes}
   */
  public long publishedEnd(long from, long maxBytes) {
    long lapEnd = (from | mask) + 1;
    long stop = Math.min(lapEnd, from + maxBytes);
    long end = Math.max(from, Math.min(hint(), lapEnd));
    while (end < stop) {
      long length = header(end) & 0xFFFF_FFFFL;
      if (length == 0) {
        break;
      }
      end += (length + 7) & ~7L;
    }
    return end;
  }

  /** Frees the memory. Later accesses throw {@link IllegalStateException}. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }
}
