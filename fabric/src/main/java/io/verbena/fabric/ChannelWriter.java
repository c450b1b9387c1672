// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The writing end of a channel: {@link #claim} and {@link #publish} for messages that are made
 * where the reader finds them, {@link #push} for copies. What holds for both ends is said of {@link
 * Channel}.
 *
 * <p>Each call of {@link #claim}, {@link #push} and {@link #end} voids what was claimed before.
 * Nothing is allocated but the view, which the JIT mostly leaves out, for what waits, and a copy of
 * a message of the heap that is larger than {@link #mostInPlace}.
 */
public final class ChannelWriter extends Channel {

  private static final Kind KIND =
      new Kind(
          "writer",
          ChannelFunctions.FREE_WRITER,
          ChannelFunctions.WRITER_RING,
          ChannelFunctions.WRITER_PEER,
          ChannelFunctions.WRITER_LOST);

  private static final long NONE = -1;

  private final long mostInPlace;
  private long offset; // in the ring, of what is claimed
  private long claimed = NONE;
  private @Nullable MemorySegment staged; // a message of the heap that is written in part

  ChannelWriter(Channels channels, String channel, MemorySegment end) {
    super(channels, KIND, channel, end);
    this.mostInPlace = (long) Calls.call(ChannelFunctions.MOST_IN_PLACE, end);
  }

  // ---------------------------------------------------------------- in place

  /** How long a message may be that lies in the ring as a whole, in bytes. */
  public long mostInPlace() {
    return mostInPlace;
  }

  /**
   * Looks for room for a message of so many bytes; {@link #claimed} is where it may be written when
   * this is done, and {@link #publish} follows. Too large: it is more than {@link #mostInPlace};
   * {@linkplain #push push} it.
   *
   * @throws IllegalArgumentException for less than no bytes
   * @throws IllegalStateException if a message is pushed in part
   */
  public ChannelOutcome claim(long bytes) {
    return claim(bytes, Duration.ZERO);
  }

  /** As {@link #claim(long)}, and waits for room. */
  public ChannelOutcome claim(long bytes, Duration timeout) {
    checkLength(bytes);
    seat.take();
    try {
      ChannelOutcome outcome = claimWithin(bytes, 0);
      return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
          ? retry(timeout, ns -> claimWithin(bytes, ns))
          : outcome;
    } finally {
      seat.leave();
    }
  }

  private static void checkLength(long bytes) {
    Limits.atLeast("the length of a message", bytes, 0);
  }

  private ChannelOutcome claimWithin(long bytes, long timeoutNs) {
    claimed = NONE;
    int outcome;
    try {
      outcome = (int) ChannelFunctions.CLAIM.invokeExact(end, bytes, timeoutNs, first);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    if (outcome == 0) {
      offset = number(first) - ring.address();
      claimed = bytes;
    }
    return ChannelOutcome.of(outcome);
  }

  /**
   * Where the message goes that was claimed last. It may be written until it is published: the
   * reader reads it then. There are other bytes at first, of messages that were.
   *
   * @throws IllegalStateException if nothing is claimed
   */
  public MemorySegment claimed() {
    checkClaimed();
    return ring.asSlice(offset, claimed);
  }

  private void checkClaimed() {
    if (claimed == NONE) {
      throw new IllegalStateException("nothing is claimed that is not published yet");
    }
  }

  /**
   * So many bytes of what was claimed, from its beginning on, are a message. Where memory is shared
   * the reader has it; by the device it is on its way.
   *
   * @throws IllegalStateException if nothing is claimed
   * @throws IllegalArgumentException if that is less; it stays claimed
   */
  public void publish(long bytes) {
    checkLength(bytes);
    seat.take();
    try {
      checkClaimed();
      if (bytes > claimed) {
        throw new IllegalArgumentException(
            "publish " + bytes + " bytes: " + claimed + " are claimed");
      }
      publishClaimed(bytes);
    } finally {
      seat.leave();
    }
  }

  private void publishClaimed(long bytes) {
    claimed = NONE;
    int outcome;
    try {
      outcome = (int) ChannelFunctions.PUBLISH.invokeExact(end, bytes);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    ChannelOutcome.of(outcome);
  }

  // ---------------------------------------------------------------- copied

  /**
   * Writes a copy of a segment, native or of the heap, as a message of any size. Would block: a
   * part of it may be written already; call this again with the same bytes, which goes on. Until
   * that is done nothing else is written.
   *
   * @throws IllegalStateException if another message is pushed in part
   */
  public ChannelOutcome push(MemorySegment message) {
    return push(message, Duration.ZERO);
  }

  /** As {@link #push(MemorySegment)}, and waits until there was room for all of it. */
  public ChannelOutcome push(MemorySegment message, Duration timeout) {
    seat.take();
    try {
      boolean isReached = message.isNative() || message.byteSize() <= mostInPlace;
      return isReached && staged == null
          ? pushFrom(message, timeout)
          : pushStaged(message, timeout);
    } finally {
      seat.leave();
    }
  }

  /** As {@link #push(MemorySegment)}. */
  public ChannelOutcome push(byte[] message) {
    return push(MemorySegment.ofArray(message));
  }

  /** As {@link #push(MemorySegment, Duration)}. */
  public ChannelOutcome push(byte[] message, Duration timeout) {
    return push(MemorySegment.ofArray(message), timeout);
  }

  private ChannelOutcome pushFrom(MemorySegment from, Duration timeout) {
    ChannelOutcome outcome = pushWithin(from, 0);
    return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
        ? retry(timeout, ns -> pushWithin(from, ns))
        : outcome;
  }

  private ChannelOutcome pushWithin(MemorySegment from, long timeoutNs) {
    return from.isNative() ? pushNative(from, timeoutNs) : pushWhole(from, timeoutNs);
  }

  /** C cannot reach the heap: what is written in pieces lies beside until the last one is. */
  private ChannelOutcome pushStaged(MemorySegment message, Duration timeout) {
    MemorySegment from = staged == null ? copyOf(message) : checkedSame(staged, message);
    long before = staged == null ? publishedNow() : NONE;
    ChannelOutcome outcome = pushFrom(from, timeout);
    boolean goesOn = outcome == ChannelOutcome.WOULD_BLOCK && publishedNow() != before;
    staged = goesOn ? from : null;
    return outcome;
  }

  private static MemorySegment copyOf(MemorySegment message) {
    return Arena.ofAuto().allocate(message.byteSize()).copyFrom(message);
  }

  private static MemorySegment checkedSame(MemorySegment begun, MemorySegment message) {
    if (begun.byteSize() != message.byteSize()) {
      throw new IllegalStateException(
          "a message of "
              + begun.byteSize()
              + " bytes is written in part; this one has "
              + message.byteSize());
    }
    return begun;
  }

  private ChannelOutcome pushWhole(MemorySegment message, long timeoutNs) {
    long bytes = message.byteSize();
    ChannelOutcome outcome = claimWithin(bytes, timeoutNs);
    if (outcome == ChannelOutcome.DONE) {
      MemorySegment.copy(message, 0, ring, offset, bytes);
      publishClaimed(bytes);
    }
    return outcome;
  }

  private ChannelOutcome pushNative(MemorySegment from, long timeoutNs) {
    claimed = NONE;
    int outcome;
    try {
      outcome = (int) ChannelFunctions.PUSH.invokeExact(end, from, from.byteSize(), timeoutNs);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    return ChannelOutcome.of(outcome);
  }

  // ---------------------------------------------------------------- how far it is

  /** Waits until what was published is in the reader's memory. */
  public ChannelOutcome flush(Duration timeout) {
    seat.take();
    try {
      ChannelOutcome outcome = call(ChannelFunctions.FLUSH, 0);
      return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
          ? retry(timeout, ns -> call(ChannelFunctions.FLUSH, ns))
          : outcome;
    } finally {
      seat.leave();
    }
  }

  /**
   * Ends the stream: the reader reads all there is, and that it has ended. Lost, would block: it is
   * not known whether the reader has got it. What {@code close} is in C and C++; here that is what
   * happens to a writer whose program failed, too, and its stream has not come to its end.
   *
   * @throws IllegalStateException if a message is pushed in part
   */
  public ChannelOutcome end(Duration timeout) {
    seat.take();
    try {
      claimed = NONE;
      ChannelOutcome outcome = call(ChannelFunctions.END, 0);
      return outcome == ChannelOutcome.WOULD_BLOCK && timeout.isPositive()
          ? retry(timeout, ns -> call(ChannelFunctions.END, ns))
          : outcome;
    } finally {
      seat.leave();
    }
  }

  private ChannelOutcome call(MethodHandle function, long timeoutNs) {
    return ChannelOutcome.of((int) Calls.call(function, end, timeoutNs));
  }

  /** Whether both ends use the same memory. */
  public boolean isShared() {
    return (int) ask(ChannelFunctions.IS_SHARED) != 0;
  }

  /** Up to where there are messages, in bytes of the ring since it began. */
  public long published() {
    return (long) ask(ChannelFunctions.PUBLISHED);
  }

  private long publishedNow() {
    return (long) Calls.call(ChannelFunctions.PUBLISHED, end);
  }

  /**
   * Up to where the reader has released what was written, as {@link #published}: exactly, where the
   * ring is shared, else at least so far; also once the reader is lost.
   */
  public long released() {
    return (long) ask(ChannelFunctions.WRITER_RELEASED);
  }
}
