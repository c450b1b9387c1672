// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/**
 * How a message says which thread sent it and the how-manieth of that thread it is: the thread
 * above, the sequence number below, cut to what the message has room for.
 *
 * @param sizeBytes the bytes of a stamp
 * @param sequenceBits how many of its low bits are the sequence number
 */
public record StampFormat(int sizeBytes, int sequenceBits) {

  /** The stamp of messages of this size. */
  public static StampFormat ofMessages(int messageBytes) {
    return switch (Math.min(messageBytes, 8)) {
      case 1 -> new StampFormat(1, 4);
      case 2, 3 -> new StampFormat(2, 12);
      case 4, 5, 6, 7 -> new StampFormat(4, 24);
      default -> new StampFormat(8, 48);
    };
  }

  /** The stamp of a thread's message. */
  public long stamp(int thread, long sequence) {
    return ((long) thread << sequenceBits) | (sequence & sequenceMask());
  }

  /** The thread in a stamp. */
  public int thread(long stamp) {
    return (int) (stamp >>> sequenceBits);
  }

  /** The bits of a stamp that are the sequence number. */
  public long sequenceMask() {
    return (1L << sequenceBits) - 1;
  }

  /** How many threads can be told apart. */
  public int maxThreads() {
    return 1 << Math.min(16, sizeBytes * 8 - sequenceBits);
  }
}
