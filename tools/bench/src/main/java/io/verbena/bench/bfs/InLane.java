// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.bench.control.BenchException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One lane, at its receiver: written by the thread that receives from this source, read by the one
 * that waits for it.
 */
final class InLane {

  private static final VarHandle RECEIVED;

  static {
    try {
      RECEIVED = MethodHandles.lookup().findVarHandle(InLane.class, "received", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int source;
  private final int destination;
  private long received;
  private long sum; // published by received
  private volatile @Nullable PhaseEnd end;
  private volatile @Nullable PhaseCount count;

  InLane(int source, int destination) {
    this.source = source;
    this.destination = destination;
  }

  /** A pair is here and has been taken. */
  void arrived(long target, long other) {
    long place = received;
    sum += Pairs.digest(place, target, other);
    // Release: pairs with received(), who sees the count sees the sum and what was taken.
    RECEIVED.setRelease(this, place + 1);
  }

  /** How many pairs have ever arrived. */
  long received() {
    return (long) RECEIVED.getAcquire(this);
  }

  void ended(PhaseEnd at) {
    end = at;
  }

  void counted(PhaseCount of) {
    count = of;
  }

  /** Whether the source has ended a phase. */
  boolean hasEnded(long phase) {
    PhaseEnd latest = end;
    return latest != null && latest.phase() >= phase;
  }

  /** Whether the source has told its count of a phase. */
  boolean hasCounted(long phase) {
    PhaseCount latest = count;
    return latest != null && latest.phase() >= phase;
  }

  /**
   * Judges what has arrived by what the source says it sent, once it has ended a phase.
   *
   * @throws BenchException if a message was lost, repeated or changed on its way, or came out of
   *     order
   */
  void check() {
    PhaseEnd latest = end;
    if (latest == null) {
      throw new IllegalStateException("no phase has ended");
    }
    // A lane keeps its order: what was sent before the end has been taken before it.
    if (received() != latest.sent()) {
      throw new BenchException(
          "node %d has sent %d messages to node %d, and %d arrived"
              .formatted(source, latest.sent(), destination, received()));
    }
    if (sum != latest.sum()) {
      throw new BenchException(
          "what arrived from node %d at node %d is not what was sent"
              .formatted(source, destination));
    }
  }

  /**
   * The source's count of a phase, once it has told it.
   *
   * @throws BenchException if it is in another phase
   */
  long countOf(long phase) {
    PhaseCount latest = count;
    if (latest == null || latest.phase() != phase) {
      throw new BenchException("node " + source + " is ahead of node " + destination);
    }
    return latest.count();
  }
}
