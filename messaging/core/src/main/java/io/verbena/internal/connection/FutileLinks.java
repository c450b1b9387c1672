// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import org.jspecify.annotations.Nullable;

/**
 * How long to wait before the next dial when dialled links come up, carry nothing and soon break,
 * one after the other: two nodes whose limits do not fit would dial without end. By one dialling
 * thread at a time.
 */
final class FutileLinks {

  private static final long FIRST_PAUSE_NS = 1_000_000;
  private static final long LAST_PAUSE_NS = 1_000_000_000;
  private static final long LONG_LIFE_NS = 3_000_000_000L;

  private final Connection connection;
  private long pauseNs;

  // The link to be judged.
  private @Nullable Session session; // which it carried; null if there is nothing to judge
  private long activityBefore;
  private long sinceNs;

  FutileLinks(Connection connection) {
    this.connection = connection;
  }

  /** A dialled link is up. */
  void linked() {
    judge();
    session = connection.session();
    activityBefore = session == null ? 0 : session.activity();
    sinceNs = System.nanoTime();
  }

  /** How long to wait now that another link is wanted; 0 if the last one was of use. */
  long pauseNs() {
    judge();
    return pauseNs;
  }

  private void judge() {
    Session carried = session;
    session = null;
    if (carried == null || carried.ended() != null) {
      return; // no link broke: its session was over
    }
    boolean futile =
        System.nanoTime() - sinceNs < LONG_LIFE_NS && carried.activity() == activityBefore;
    pauseNs = futile ? Math.clamp(pauseNs * 2, FIRST_PAUSE_NS, LAST_PAUSE_NS) : 0;
  }
}
