// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.lane.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Frames that receiving threads could not put on a {@link SharedLane} at once: a handler's send
 * never waits. Bounded; while there are any, other senders queue up behind them. Belongs to the
 * shared lane of each session in turn, as what is queued while there is none waits for the next.
 */
final class Backlog {

  /**
   * A frame with its body copied.
   *
   * @param header as it will stand in the lane
   * @param rest what follows the header
   */
  record Queued(long header, byte[] rest) {

    /** What a frame takes of the heap besides its bytes: two objects and its place in the queue. */
    static final int OVERHEAD_BYTES = 64;

    int costBytes() {
      return OVERHEAD_BYTES + rest.length;
    }

    private static final long NONE = -1; // no id of a request

    /** The id of the request that begins here; if none does, one that no request has. */
    long requestId() {
      MemorySegment bytes = MemorySegment.ofArray(rest);
      return switch (Frame.kind(header)) {
        case Frame.REQUEST -> Frame.getLongUnaligned(bytes, 0);
        case Frame.FRAGMENT -> beginsLargeRequest(bytes) ? Frame.getLongUnaligned(bytes, 8) : NONE;
        default -> NONE;
      };
    }

    private boolean beginsLargeRequest(MemorySegment bytes) {
      return (Frame.flags(header) & Frame.FIRST) != 0
          && Frame.kind(Frame.getLongUnaligned(bytes, 0)) == Frame.REQUEST;
    }

    private boolean endsMessage() {
      return Frame.kind(header) != Frame.FRAGMENT || (Frame.flags(header) & Frame.LAST) != 0;
    }

    /** A message that fits in one frame. */
    static Queued of(int kind, long correlation, MessageCodec codec, Record message, int length) {
      int prefix = Frame.prefixBytes(kind);
      byte[] rest = new byte[prefix + length];
      MemorySegment bytes = MemorySegment.ofArray(rest);
      if (prefix > 0) {
        Frame.putLongUnaligned(bytes, 0, correlation);
      }
      codec.write(message, bytes, prefix, length);
      return new Queued(
          Frame.header(Frame.HEADER_BYTES + rest.length, codec.typeId(), kind, 0), rest);
    }
  }

  private final int peer;
  private final long maxBytes;
  private final LongPredicate isOpen;
  private final Runnable added;
  private final ArrayDeque<Queued> frames = new ArrayDeque<>();
  private long bytes;
  private volatile boolean empty = true;

  /**
   * @param isOpen whether the request with this id still waits
   * @param added called after each message that joined, without a lock held
   */
  Backlog(int peer, long maxBytes, LongPredicate isOpen, Runnable added) {
    this.peer = peer;
    this.maxBytes = maxBytes;
    this.isOpen = isOpen;
    this.added = added;
  }

  boolean isEmpty() {
    return empty;
  }

  /**
   * Adds a message.
   *
   * @param length what the codec says its body has
   * @param maxFrameBytes the largest frame of the lane it will be on
   */
  void add(
      int kind,
      long correlation,
      MessageCodec codec,
      Record message,
      int length,
      int maxFrameBytes) {
    if (length <= maxFrameBytes - Frame.HEADER_BYTES - Frame.prefixBytes(kind)) {
      add(Queued.of(kind, correlation, codec, message, length));
      return;
    }
    try (LargeMessage large =
        new LargeMessage(kind, correlation, codec, message, length, maxFrameBytes)) {
      add(large.queuedFrames());
    }
  }

  /**
   * Adds an error that answers a request. There is a quarter more room for these: who could not
   * give an answer for want of room can say so.
   */
  void addError(Queued frame) {
    append(List.of(frame), maxBytes + maxBytes / 4);
    added.run();
  }

  /** Adds the frames of one message, all or none; into an empty backlog whatever its size. */
  void add(List<Queued> message) {
    append(message, maxBytes);
    added.run();
  }

  /** Takes over what another one has accepted already, without regard to the limit. */
  synchronized void take(List<Queued> accepted) {
    if (!accepted.isEmpty()) {
      bytes += cost(accepted);
      frames.addAll(accepted);
      empty = false;
    }
  }

  private static long cost(List<Queued> frames) {
    return frames.stream().mapToLong(Queued::costBytes).sum();
  }

  private void add(Queued frame) {
    add(List.of(frame));
  }

  private synchronized void append(List<Queued> message, long limitBytes) {
    long more = cost(message);
    if (bytes > 0 && bytes + more > limitBytes) {
      throw new BackPressureException(
          "a handler's message that takes "
              + more
              + " bytes to node "
              + peer
              + ": "
              + bytes
              + " bytes wait for room already; overflow.bytes is "
              + maxBytes);
    }
    bytes += more;
    frames.addAll(message);
    empty = false;
  }

  synchronized @Nullable Queued first() {
    return frames.peekFirst();
  }

  synchronized void removeFirst() {
    Queued first = frames.pollFirst();
    if (first != null) {
      bytes -= first.costBytes();
    }
    empty = frames.isEmpty();
  }

  /** Removes the first message if it is a request that is over; {@code first} is its beginning. */
  synchronized boolean dropIfForgotten(Queued first) {
    long id = first.requestId();
    if (id == Queued.NONE || isOpen.test(id)) {
      return false;
    }
    Queued frame;
    do {
      frame = frames.getFirst();
      removeFirst();
    } while (!frame.endsMessage());
    return true;
  }

  synchronized int size() {
    return frames.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Takes everything out. */
  synchronized List<Queued> clear() {
    List<Queued> all = new ArrayList<>(frames);
    frames.clear();
    bytes = 0;
    empty = true;
    return all;
  }
}
