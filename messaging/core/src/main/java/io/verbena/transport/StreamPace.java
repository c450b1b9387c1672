// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * How long a reader that has caught up with a stream stays away from it. At the writer's heels
 * every line it writes would have to travel, and where both run on two threads of one core the
 * reader would take the writer's turns. The longer a stream has lasted, the longer the absence, so
 * that the end of a short burst is not seen late.
 */
final class StreamPace {

  /** This much, with hardly an idle round in between, tells a stream from single messages. */
  private static final int STREAM_BYTES = 32 * 1024;

  private static final int STREAM_IDLE_ROUNDS = 4;
  private static final int FIRST_PAUSES = 100;
  private static final int LAST_PAUSES = 3200; // well below what a sleeping thread takes to wake

  private long streamBytes;
  private int idleRounds;
  private int pauses = FIRST_PAUSES;

  /** A round brought something. */
  void worked(int bytes) {
    if (idleRounds > STREAM_IDLE_ROUNDS) {
      streamBytes = 0;
      pauses = FIRST_PAUSES;
    }
    streamBytes += bytes;
    idleRounds = 0;
  }

  /** A round brought nothing: how many times to pause before the next one. */
  int pausesWhenIdle() {
    if (idleRounds++ > 0 || streamBytes < STREAM_BYTES) {
      return 1;
    }
    int now = pauses;
    pauses = Math.min(2 * pauses, LAST_PAUSES);
    return now;
  }
}
