// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import java.util.ArrayDeque;

/**
 * The writers that want to hear when the loop's round ends. By the role's holder.
 *
 * <p>A writer is in here itself, not found by way of its link: handlers may publish on a link that
 * the loop does not know yet.
 */
public final class RoundEnds {

  private final ArrayDeque<PacedWriter> writers = new ArrayDeque<>();

  /** Makes one. */
  public RoundEnds() {}

  /** The writer is told when the round ends. */
  public void tell(PacedWriter writer) {
    writers.add(writer);
  }

  /** Whether a writer is to be told. */
  public boolean isDue() {
    return !writers.isEmpty();
  }

  /** Tells all, also those that are added meanwhile. If one fails the others are still due. */
  public void roundEnds() {
    for (PacedWriter next = writers.poll(); next != null; next = writers.poll()) {
      next.roundEnds();
    }
  }
}
