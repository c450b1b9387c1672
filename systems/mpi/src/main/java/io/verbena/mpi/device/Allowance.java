// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

/**
 * What a peer lets this rank send before it asks for it: bytes of whole messages, and heads of
 * others. Bytes come back when the peer has handed a message to its program, heads when they are
 * matched. Heads that the peer has granted beside, because it waited for what may be behind them,
 * are gone once all are matched. Before the peer has said anything nothing is allowed: who sends
 * little and waits for its end must not find that it waits for the receive.
 *
 * <p>Who has the outbox's turn takes, without a lock; any thread brings back.
 */
final class Allowance {

  // With the turn.
  private long takenBytes;
  private long takenHeads;

  // All that ever came; written under this.
  private volatile long cameBytes;
  private volatile long cameHeads;
  private volatile long mostHeads = Wire.HEADS; // under way at a time
  private volatile boolean isStalled = true; // until the peer's first word

  /** Takes what a whole message costs; false if there is not that much. */
  boolean takeBytes(long charge) {
    if (takenBytes + charge > cameBytes) {
      return false;
    }
    takenBytes += charge;
    return true;
  }

  /** What was taken was not used. */
  void putBackBytes(long charge) {
    takenBytes -= charge;
  }

  /** Takes a head's place; false if there is none: stalled then, until something comes back. */
  boolean takeHead() {
    if (!hasHead()) {
      isStalled = true;
      if (!hasHead()) { // who brought something back before this has not seen that it is stalled
        return false;
      }
      isStalled = false;
    }
    takenHeads++;
    return true;
  }

  private boolean hasHead() {
    return takenHeads - cameHeads < mostHeads;
  }

  /** As {@link #putBackBytes}. */
  void putBackHead() {
    takenHeads--;
  }

  /** Whether there was no place for a head, and nothing has come back since. */
  boolean isStalled() {
    return isStalled;
  }

  /** The peer has consumed so much. */
  synchronized void bytesCameBack(int charge) {
    cameBytes += charge;
    isStalled = false;
  }

  /** The peer has matched a head. */
  synchronized void headCameBack(boolean isLast) {
    cameHeads++;
    if (isLast) {
      mostHeads = Wire.HEADS;
    }
    isStalled = false;
  }

  /** The peer waits for what may be behind the heads that it has. */
  synchronized void grantHeads(int more) {
    mostHeads += more;
    isStalled = false;
  }
}
