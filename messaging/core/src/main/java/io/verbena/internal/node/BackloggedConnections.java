// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections that have messages of handlers queued, to be moved when there is room, or that
 * are to tell somebody of it.
 */
final class BackloggedConnections {

  private final Set<Connection> backlogged = ConcurrentHashMap.newKeySet();
  private volatile boolean hasBacklog;

  /** The connection has frames in its backlog now. */
  void add(Connection connection) {
    lookAfter(connection);
    connection.moveQueued(); // there may be room by now
  }

  /** As {@link #add}, but leaves the first move to others. */
  void lookAfter(Connection connection) {
    backlogged.add(connection);
    hasBacklog = true;
  }

  /** Moves what has room and tells of it; returns how much is left. */
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
    if (backlogged.isEmpty()) {
      hasBacklog = false;
      if (!backlogged.isEmpty()) { // a connection joined between the looks: its mark may be gone
        hasBacklog = true; // no thread clears it without such a look behind
      }
    }
    return left;
  }

  /** Finds a connection that was added while {@link #move} looked. */
  void tick() {
    if (!backlogged.isEmpty()) {
      hasBacklog = true;
    }
  }
}
