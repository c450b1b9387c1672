// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.BackPressureException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frames that receiving threads could not put on the shared lane at once: a handler's send never
 * waits. Bounded; while there are any, other senders queue up behind them.
 */
final class Backlog {

  /**
   * A frame with its body copied.
   *
   * @param header as it will stand in the lane
   * @param rest what follows the header
   */
  record Frame(long header, byte[] rest) {}

  private final int peer;
  private final long maxBytes;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();
  private long bytes;
  private volatile boolean empty = true;

  Backlog(int peer, long maxBytes) {
    this.peer = peer;
    this.maxBytes = maxBytes;
  }

  boolean isEmpty() {
    return empty;
  }

  /** Adds the frames of one message, all or none; into an empty backlog whatever its size. */
  synchronized void add(List<Frame> message) {
    long more = 0;
    for (Frame frame : message) {
      more += frame.rest().length;
    }
    if (bytes > 0 && bytes + more > maxBytes) {
      throw new BackPressureException(
          "a handler's message of "
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

  synchronized @Nullable Frame first() {
    return frames.peekFirst();
  }

  synchronized void removeFirst() {
    Frame first = frames.pollFirst();
    if (first != null) {
      bytes -= first.rest().length;
    }
    empty = frames.isEmpty();
  }

  synchronized int size() {
    return frames.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Takes everything out. */
  synchronized List<Frame> clear() {
    List<Frame> all = new ArrayList<>(frames);
    frames.clear();
    bytes = 0;
    empty = true;
    return all;
  }
}
