// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.event.BackPressureEvent;
import io.verbena.internal.metrics.NodeMetrics;
import io.verbena.transport.Outlet;
import io.verbena.transport.Waiters;

/**
 * How senders wait while a lane is full: spin, yield, then sleep at the outlet. Is itself the
 * outlet of lanes that have no link: nothing leaves there, and a sleeper wakes when a link or the
 * end comes.
 */
final class LaneWait implements Outlet {

  private static final int SPINS = 300;
  private static final int YIELDS = 8;
  private static final long SLEEP_NS = 2_000_000;

  private final int node;
  private final int peer;
  private final NodeMetrics metrics;
  private final Runnable linkWanted;
  private final Waiters unlinked = new Waiters();

  /**
   * @param linkWanted called when somebody waits at a lane that has no link
   */
  LaneWait(int node, int peer, NodeMetrics metrics, Runnable linkWanted) {
    this.node = node;
    this.peer = peer;
    this.metrics = metrics;
    this.linkWanted = linkWanted;
  }

  int peer() {
    return peer;
  }

  /** Waits until more than {@code seen} is consumed, or a while; the caller looks again. */
  void untilConsumed(OutboundLane lane, long seen) {
    untilConsumed(lane, seen, SLEEP_NS);
  }

  /**
   * As above.
   *
   * @param limitNs how long to sleep at most
   */
  void untilConsumed(OutboundLane lane, long seen, long limitNs) {
    for (int i = 0; i < SPINS; i++) {
      if (lane.consumed() != seen) {
        return;
      }
      Thread.onSpinWait();
    }
    for (int i = 0; i < YIELDS; i++) {
      if (lane.consumed() != seen) {
        return;
      }
      Thread.yield();
    }
    metrics.backPressureWait();
    BackPressureEvent event = BackPressureEvent.start();
    try {
      lane.outlet().awaitConsumed(seen, Math.min(limitNs, SLEEP_NS));
    } catch (IllegalStateException e) {
      if (lane.ended() == null) {
        throw e;
      }
      return; // the memory was freed: the caller sees that the session is over
    }
    BackPressureEvent.finish(event, node, peer, lane.id());
  }

  void wakeAll() {
    unlinked.wakeAll();
  }

  @Override
  public void published() {}

  @Override
  public void awaitConsumed(long position, long timeoutNs) {
    linkWanted.run();
    unlinked.await(() -> false, timeoutNs);
  }

  @Override
  public void finish(long finalPosition) {}
}
