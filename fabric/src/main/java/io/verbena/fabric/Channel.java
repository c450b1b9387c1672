// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.function.LongFunction;

/**
 * One end of a channel, which is a FIFO of messages from one writer to one reader
 * (docs/channel.md).
 *
 * <p><b>Time.</b> A call without a time tries and does not wait. One with a time waits as long at
 * most; {@link java.time.temporal.ChronoUnit#FOREVER} has no end, and a time that is not positive
 * is none. A platform thread that waits sleeps in the library, woken by what it waits for; a
 * virtual thread tries and sleeps in turns, up to 2 ms each, so that it holds no carrier.
 * Interrupts do not end a wait; {@link #close} does, within 100 ms or so.
 *
 * <p><b>Who drives.</b> Calls of ends do the rounds of their node themselves, and decide nothing
 * for the others of the {@link Fabric}: it may be polled, driven by its own thread, or neither.
 *
 * <p><b>Threads.</b> An end is used by one thread at a time, the ends of a fabric by as many as
 * there are. A second thread at the same moment gets an {@link IllegalStateException}, and nothing
 * is done. {@link #close} and {@link #toString} are for any thread.
 *
 * <p><b>Views.</b> Messages in place are segments of the ring's memory. An access after the end was
 * closed throws an {@link IllegalStateException}. One that comes too late otherwise finds other
 * bytes, and one that writes too late may ruin the messages behind, upon which the reader calls the
 * channel lost.
 */
public abstract sealed class Channel implements AutoCloseable permits ChannelReader, ChannelWriter {

  /** Channels have the numbers from 0 to this one. */
  public static final int MOST_NUMBER = 16_383;

  private static final int SENTENCE_BYTES = 1024;
  private static final long LOOK_AGAIN_NS = 50_000;

  /** What each kind of end has its own functions for. */
  record Kind(
      String name,
      MethodHandle freeing,
      MethodHandle ring,
      MethodHandle peer,
      MethodHandle lostBecause) {}

  final MemorySegment end; // C's; valid for who has the seat
  final MemorySegment ring; // until this is closed
  final Seat seat;
  final MemorySegment first = scratch(); // where C stores a number or an address
  final MemorySegment second = scratch();
  private final Channels channels;
  private final Kind kind;
  private final String name;
  private final Arena lifetime = Arena.ofShared();
  private final Object closing = new Object();
  private boolean freed; // guarded by closing

  Channel(Channels channels, Kind kind, String channel, MemorySegment end) {
    this.channels = channels;
    this.kind = kind;
    this.name = kind.name() + " of " + channel;
    this.end = end;
    this.seat = new Seat("the " + name);
    MemorySegment start = (MemorySegment) Calls.call(kind.ring(), end, first);
    this.ring = start.reinterpret(number(first), lifetime, null);
  }

  private static MemorySegment scratch() {
    return Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
  }

  static long number(MemorySegment place) {
    return place.get(ValueLayout.JAVA_LONG, 0);
  }

  /** By who has the seat, when a first call would have blocked. */
  final ChannelOutcome retry(Duration timeout, LongFunction<ChannelOutcome> once) {
    return Patience.retry(
        timeout,
        ns -> {
          seat.checkOpen();
          return once.apply(ns);
        });
  }

  /** The node at the other end; 0 as long as there is none. */
  public final int peer() {
    return (int) ask(kind.peer());
  }

  /** Asks C for a number. */
  final Object ask(MethodHandle function) {
    seat.take();
    try {
      return Calls.call(function, end);
    } finally {
      seat.leave();
    }
  }

  /** Why the far end is {@link ChannelOutcome#LOST}, for people; empty as long as it is there. */
  public final String lostBecause() {
    seat.take();
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment text = scratch.allocate(SENTENCE_BYTES);
      Calls.call(kind.lostBecause(), end, text, text.byteSize());
      return text.getString(0);
    } finally {
      seat.leave();
    }
  }

  /**
   * Lets go of this end. A reader that still reads is told that its writer is lost, unless that has
   * {@linkplain ChannelWriter#end ended} its stream: what a failed program leaves is not taken for
   * all there was. A writer that still writes is told that nobody reads any more. Waits for a call
   * that is going on, which ends with a {@link ClosedException} if it waits. Idempotent; a fabric
   * closes its ends.
   *
   * @throws IllegalStateException if a system call or another channel's push is at work in a
   *     message of this ring, as of {@link Arena#close}; nothing was closed then
   */
  @Override
  public void close() {
    synchronized (closing) {
      if (freed) {
        return;
      }
      seat.close();
      endViews();
      Calls.call(kind.freeing(), end);
      freed = true;
    }
    channels.forget(this);
  }

  private void endViews() {
    try {
      lifetime.close();
    } catch (IllegalStateException e) {
      seat.reopen();
      throw e;
    }
  }

  /** By the fabric, which cannot leave it open: waits for who is at work in a message. */
  final void closeForSure() {
    while (true) {
      try {
        close();
        return;
      } catch (IllegalStateException e) {
        Seat.nap(LOOK_AGAIN_NS);
      }
    }
  }

  @Override
  public String toString() {
    return "Channel[" + name + (seat.isClosed() ? ", closed]" : "]");
  }
}
