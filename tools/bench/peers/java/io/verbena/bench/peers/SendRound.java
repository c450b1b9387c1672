// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import io.verbena.bench.message.StampFormat;

/** Messages of one round, one after the other. */
public final class SendRound {

  private static final int TURN_BYTES = 16 * 1024;
  private static final int MOST_IN_TURN = 256;

  private final StampFormat stamps;
  private final int turn;
  private final long endNs;
  private long sent;

  /**
   * @param sent how many messages were sent before this round
   */
  SendRound(StampFormat stamps, int sizeBytes, long durationNs, long sent) {
    this.stamps = stamps;
    this.turn = Math.clamp(TURN_BYTES / sizeBytes, 1, MOST_IN_TURN);
    this.endNs = System.nanoTime() + durationNs;
    this.sent = sent;
  }

  /** Whether there is time for another turn. */
  public boolean goesOn() {
    return System.nanoTime() < endNs;
  }

  /** How many messages are sent between two looks at the clock. */
  public int turn() {
    return turn;
  }

  /** The stamp of the next message. */
  public long nextStamp() {
    return stamps.stamp(0, sent++);
  }

  long sent() {
    return sent;
  }
}
