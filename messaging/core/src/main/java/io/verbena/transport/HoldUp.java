// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/** Notices a round that does not end, as one of its handlers does not return. Of one thread. */
final class HoldUp {

  /** So often it is looked for the round before it counts: what stands still looks at nothing. */
  static final int LOOKS = 20;

  private long round;
  private int looks;

  /** Whether the same round has been under way at so many looks now; once for each round. */
  boolean begins(boolean isUnderWay, long current) {
    if (!isUnderWay || current != round) {
      round = current;
      looks = 0;
    }
    return isUnderWay && ++looks == LOOKS;
  }
}
