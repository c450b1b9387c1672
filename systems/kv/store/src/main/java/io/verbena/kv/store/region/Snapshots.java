// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The sequence numbers at which somebody may still read. One that is too old is dropped, and
 * refuses to be read.
 */
public final class Snapshots {
  private final LongSupplier clockNanos;
  private final long ageLimitNanos;
  private final List<Held> held = new ArrayList<>(); // guarded by this; oldest first

  Snapshots(LongSupplier clockNanos, long ageLimitNanos) {
    this.clockNanos = clockNanos;
    this.ageLimitNanos = ageLimitNanos;
  }

  /** A sequence number that somebody may still read at. */
  public static final class Held {
    public final long sequence;
    private final long takenNanos;
    private volatile boolean gone;
    private volatile boolean released;

    private Held(long sequence, long takenNanos) {
      this.sequence = sequence;
      this.takenNanos = takenNanos;
    }
  }

  /**
   * @param visible read under the lock, so that a merge either knows of the snapshot or ends before
   *     it
   */
  synchronized Held take(LongSupplier visible) {
    Held taken = new Held(visible.getAsLong(), clockNanos.getAsLong());
    held.add(taken);
    return taken;
  }

  boolean isGone(Held snapshot) {
    return snapshot.gone || clockNanos.getAsLong() - snapshot.takenNanos > ageLimitNanos;
  }

  /** Whether its user has let go of it. */
  static boolean isReleased(Held snapshot) {
    return snapshot.released;
  }

  synchronized void release(Held snapshot) {
    snapshot.released = true;
    snapshot.gone = true;
    held.remove(snapshot);
  }

  /** The numbers of those that may be read, ascending. */
  synchronized long[] sequences() {
    long now = clockNanos.getAsLong();
    while (!held.isEmpty() && now - held.getFirst().takenNanos > ageLimitNanos) {
      held.removeFirst().gone = true;
    }
    return held.stream().mapToLong(snapshot -> snapshot.sequence).distinct().toArray();
  }
}
