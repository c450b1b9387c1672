// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that have messages of handlers queued, to be moved when there is room. */
final class BackloggedConnections {

  private final Set<Connection> backlogged = ConcurrentHashMap.newKeySet();
  private volatile boolean hasBacklog;

  /** The connection has frames in its backlog now. */
  void add(Connection connection) {
    backlogged.add(connection);
    hasBacklog = true;
    move();
  }

  /** Moves what has room; returns how many frames are left. */
  int move() {
    if (!hasBacklog) {
      return 0;
    }
    int left = 0;
    for (Connection connection : backlogged) {
      int rest = connection.moveBacklog();
      if (rest == 0) {
        backlogged.remove(connection);
        rest =
            connection.moveBacklog(); // queued between the two: it may have joined before we left
        if (rest > 0) {
          backlogged.add(connection);
        }
      }
      left += rest;
    }
    hasBacklog = !backlogged.isEmpty();
    return left;
  }

  /** Finds a connection that was added while {@link #move} looked. */
  void tick() {
    if (!backlogged.isEmpty()) {
      hasBacklog = true;
    }
  }
}
