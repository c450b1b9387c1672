// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What came by some lanes of a peer and waits for handlers that have threads of their own, counted
 * in messages and in bytes. It is full once it holds as many as it may of either; as that is asked
 * before a message is read, the last one may be of any size, and one is always possible. One thread
 * adds, any thread removes.
 */
final class HandlerQueue {

  /** What a message takes besides its bytes: its record, its task, its way back. */
  static final int OVERHEAD_BYTES = 256;

  /** More than any queue can hold: nothing is taken any more. */
  private static final int FULL_FOR_GOOD = 1 << 30;

  private final int maxMessages;
  private final long maxBytes;
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  HandlerQueue(int maxMessages, long maxBytes) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
  }

  boolean isFull() {
    return messages.get() >= maxMessages || bytes.get() >= maxBytes;
  }

  /** Adds a message of this length on the wire. */
  void add(int length) {
    bytes.getAndAdd(costBytes(length));
    messages.getAndIncrement();
  }

  /**
   * Removes a message of this length.
   *
   * @return whether there is room enough to have the peer go on
   */
  boolean remove(int length) {
    bytes.getAndAdd(-costBytes(length)); // first: who removes the last message sees no bytes
    return messages.decrementAndGet() <= maxMessages / 2 && bytes.get() <= maxBytes / 2;
  }

  /** From here on it is full whatever is removed. */
  void fillForGood() {
    messages.getAndAdd(FULL_FOR_GOOD);
  }

  private static long costBytes(int length) {
    return OVERHEAD_BYTES + length;
  }
}
