// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of a channel: {@link #peek} and {@link #release} for messages where they lie,
 * {@link #pop} for copies. What holds for both ends is said of {@link Channel}.
 *
 * <p>Each call replaces what {@link #length} and {@link #message} tell. Nothing is allocated but
 * the view, which the JIT mostly leaves out, and for what waits.
 */
public final class ChannelReader extends Channel {

  private static final Kind KIND =
      new Kind(
          "reader",
          ChannelFunctions.FREE_READER,
          ChannelFunctions.READER_RING,
          ChannelFunctions.READER_PEER,
          ChannelFunctions.READER_LOST);

  private final MemorySegment readable;
  private long offset; // in the ring, of what is shown
  private long length;
  private boolean isShown;
  private @Nullable MemorySegment staged; // what has come of a message that goes to the heap

  ChannelReader(Channels channels, String channel, MemorySegment end) {
    super(channels, KIND, channel, end);
    this.readable = ring.asReadOnly();
  }

  // ---------------------------------------------------------------- in place

  /**
   * Looks for the next message, which stays in the ring until it is released; {@link #message} has
   * it when this is done. Too large: it does not lie there as a whole; {@linkplain #pop pop} it.
   */
  public ChannelOutcome peek() {
    return peek(Duration.ZERO);
  }

  /** As {@link #peek()}, and waits for one. */
  public ChannelOutcome peek(Duration timeout) {
    seat.take();
    try {
      ChannelOutcome outcome = peekWithin(0);
      return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
          ? retry(timeout, this::peekWithin)
          : outcome;
    } finally {
      seat.leave();
    }
  }

  private ChannelOutcome peekWithin(long timeoutNs) {
    int outcome;
    try {
      outcome = (int) ChannelFunctions.PEEK.invokeExact(end, timeoutNs, first, second);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    isShown = outcome == 0;
    if (isShown) {
      offset = number(first) - ring.address();
      length = number(second);
      return ChannelOutcome.DONE;
    }
    return found(outcome);
  }

  /**
   * The message that was peeked at last, where it lies. It may be read until it is released: the
   * writer writes over it then.
   *
   * @throws IllegalStateException if there is none
   */
  public MemorySegment message() {
    checkShown();
    return readable.asSlice(offset, length);
  }

  private void checkShown() {
    if (!isShown) {
      throw new IllegalStateException("no message was peeked at that is not released yet");
    }
  }

  /**
   * Done with the message that was peeked at last: the writer may write over it. One that does not
   * share the memory hears of it with this call or a later one, or by {@link #tell}.
   *
   * @throws IllegalStateException if there is none
   */
  public void release() {
    seat.take();
    try {
      checkShown();
      releaseShown();
    } finally {
      seat.leave();
    }
  }

  private void releaseShown() {
    isShown = false;
    try {
      ChannelFunctions.RELEASE.invokeExact(end);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
  }

  /**
   * Tells a writer that does not share the memory at once what was released: for readers of which
   * the writer counts what they have not done yet.
   */
  public void tell() {
    seat.take();
    try {
      Calls.call(ChannelFunctions.TELL, end);
    } finally {
      seat.leave();
    }
  }

  // ---------------------------------------------------------------- lengths

  /** Looks how long the next message is; {@link #length} has it when this is done. */
  public ChannelOutcome probe() {
    seat.take();
    try {
      return measure();
    } finally {
      seat.leave();
    }
  }

  private ChannelOutcome measure() {
    int outcome;
    try {
      outcome = (int) ChannelFunctions.PROBE.invokeExact(end, second);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    if (outcome == 0) {
      // A writer may claim more than 2^63: that, too, fits nowhere.
      length = number(second) < 0 ? Long.MAX_VALUE : number(second);
    }
    return ChannelOutcome.of(outcome);
  }

  /** In bytes, of the message that a call has found last, also of one that is too large. */
  public long length() {
    return length;
  }

  /** Of a call that has no message in the ring to show. */
  private ChannelOutcome found(int number) {
    ChannelOutcome outcome = ChannelOutcome.of(number);
    if (outcome == ChannelOutcome.TOO_LARGE) {
      measure();
    }
    return outcome;
  }

  // ---------------------------------------------------------------- copied

  /**
   * Copies the next message, of any size, to the beginning of a segment, native or of the heap, and
   * releases it. Would block: a part of it may be copied already; call this again with the same
   * segment, which goes on. Too large: it stays, and {@link #length} says how much it is.
   *
   * @throws IllegalArgumentException if the segment is read-only
   */
  public ChannelOutcome pop(MemorySegment into) {
    return pop(into, Duration.ZERO);
  }

  /** As {@link #pop(MemorySegment)}, and waits until all of it has come. */
  public ChannelOutcome pop(MemorySegment into, Duration timeout) {
    seat.take();
    try {
      ChannelOutcome outcome = popWithin(into, 0);
      return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
          ? retry(timeout, ns -> popWithin(into, ns))
          : outcome;
    } finally {
      seat.leave();
    }
  }

  /** As {@link #pop(MemorySegment)}. */
  public ChannelOutcome pop(byte[] into) {
    return pop(MemorySegment.ofArray(into));
  }

  /** As {@link #pop(MemorySegment, Duration)}. */
  public ChannelOutcome pop(byte[] into, Duration timeout) {
    return pop(MemorySegment.ofArray(into), timeout);
  }

  private ChannelOutcome popWithin(MemorySegment into, long timeoutNs) {
    if (into.isReadOnly()) {
      throw new IllegalArgumentException(
          "a message cannot be copied to what is read-only: " + into);
    }
    if (into.isNative()) {
      return popTo(into, timeoutNs);
    }
    return staged == null ? popToHeap(into, timeoutNs) : popStaged(staged, into, timeoutNs);
  }

  private ChannelOutcome popTo(MemorySegment into, long timeoutNs) {
    isShown = false;
    int outcome;
    try {
      outcome =
          (int) ChannelFunctions.POP.invokeExact(end, into, into.byteSize(), timeoutNs, second);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    if (outcome != 0) {
      return found(outcome);
    }
    length = number(second);
    staged = null;
    return ChannelOutcome.DONE;
  }

  /**
   * C cannot reach the heap: what lies in the ring is copied here, pieces are put together beside.
   */
  private ChannelOutcome popToHeap(MemorySegment into, long timeoutNs) {
    ChannelOutcome outcome = peekWithin(timeoutNs);
    boolean isThere = outcome == ChannelOutcome.DONE || outcome == ChannelOutcome.TOO_LARGE;
    if (!isThere) {
      return outcome;
    }
    if (length > into.byteSize()) {
      isShown = false;
      return ChannelOutcome.TOO_LARGE;
    }
    if (outcome == ChannelOutcome.TOO_LARGE) {
      staged = Arena.ofAuto().allocate(length);
      return popStaged(staged, into, timeoutNs);
    }
    MemorySegment.copy(ring, offset, into, 0, length);
    releaseShown();
    return ChannelOutcome.DONE;
  }

  private ChannelOutcome popStaged(MemorySegment from, MemorySegment into, long timeoutNs) {
    if (from.byteSize() > into.byteSize()) {
      return ChannelOutcome.TOO_LARGE;
    }
    ChannelOutcome outcome = popTo(from, timeoutNs);
    if (outcome == ChannelOutcome.DONE) {
      MemorySegment.copy(from, 0, into, 0, length);
    }
    return outcome;
  }

  /**
   * Throws the next message away, whatever its size. Would block: not all of it has come; call this
   * again. {@link #length} has its length when this is done.
   */
  public ChannelOutcome drop() {
    seat.take();
    try {
      return dropNext();
    } finally {
      seat.leave();
    }
  }

  private ChannelOutcome dropNext() {
    isShown = false;
    int outcome;
    try {
      outcome = (int) ChannelFunctions.DROP.invokeExact(end, second);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    if (outcome == 0) {
      length = number(second);
      staged = null;
    }
    return ChannelOutcome.of(outcome);
  }

  /** Up to where the writer may write over what was read, in bytes of the ring since it began. */
  public long released() {
    return (long) ask(ChannelFunctions.READER_RELEASED);
  }
}
