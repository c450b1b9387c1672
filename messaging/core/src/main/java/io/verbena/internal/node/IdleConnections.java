// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConnectionInfo;
import io.verbena.internal.connection.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Closes the least recently used connections when there are more than the limit. Use is not
 * recorded where it happens, on the hot path: ticks compare stream positions instead.
 */
final class IdleConnections {

  /** When a connection was last seen to have moved. */
  private record LastUse(long activity, long atNs) {}

  private final int limit;
  private final Map<Integer, LastUse> uses = new HashMap<>(); // guarded by this

  IdleConnections(int limit) {
    this.limit = limit;
  }

  /** Looks which connections have moved; closes idle ones above the limit. */
  synchronized void tick(long nowNs, Collection<Connection> connections) {
    int open = 0;
    for (Connection connection : connections) {
      if (!connection.hasSession()) {
        uses.remove(connection.peer());
        continue;
      }
      open++;
      long activity = connection.activity();
      LastUse last = uses.get(connection.peer());
      if (last == null || last.activity() != activity) {
        uses.put(connection.peer(), new LastUse(activity, nowNs));
      }
    }
    if (open > limit) {
      close(open - limit, nowNs, connections);
    }
  }

  /** A session or a link of it began just now, which is use. */
  synchronized void began(Connection fresh, Collection<Connection> connections) {
    long nowNs = System.nanoTime();
    uses.put(fresh.peer(), new LastUse(fresh.activity(), nowNs));
    if (connections.size() > limit) {
      tick(nowNs, connections);
    }
  }

  /** Has so many closed, if so many are idle. */
  private void close(int count, long nowNs, Collection<Connection> connections) {
    List<Connection> candidates = new ArrayList<>();
    for (Connection connection : connections) {
      if (uses.containsKey(connection.peer())) {
        candidates.add(connection);
      }
    }
    candidates.sort(Comparator.comparingLong(connection -> -idleNs(connection, nowNs)));
    int left = count;
    for (Connection connection : candidates) {
      if (left == 0) {
        return;
      }
      connection.proposeClose();
      ConnectionInfo info = connection.info();
      if (info != null && info.state() == ConnectionInfo.State.CLOSING) {
        left--; // one in use is passed over: the next one goes in its place
      }
    }
  }

  private long idleNs(Connection connection, long nowNs) {
    LastUse last = uses.get(connection.peer());
    return last == null ? Long.MAX_VALUE : nowNs - last.atNs();
  }
}
