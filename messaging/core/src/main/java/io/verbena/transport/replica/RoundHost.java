// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

/** The receiving loop, as the writers of its links see it. */
public interface RoundHost {

  /** Whether the calling thread is in a round: what it publishes is a handler's. */
  boolean isInRound();

  /** A link leaves bytes to the loop: wakes it if it sleeps. Any thread. */
  void burstBegan(PacedWriter writer);

  /** The loop calls {@link PacedWriter#roundEnds} when its round ends. By the role's holder. */
  void writeAtRoundEnd(PacedWriter writer);
}
