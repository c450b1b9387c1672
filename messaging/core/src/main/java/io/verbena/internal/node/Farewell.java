// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.Connection;
import io.verbena.transport.Waiters;
import java.util.Collection;

/**
 * What is done for peers before their connections close: what was accepted leaves, goodbye is said.
 */
final class Farewell {

  /**
   * What a peer gets to hear a last thing. One that reads needs far less, unless its machine is
   * busy; one that does not hear it looks for this node until its {@code link.timeout} is over.
   */
  static final long MOMENT_NS = 1_000_000_000;

  private static final long GLANCE_NS = 100_000;

  private final BackloggedConnections backlogs;

  Farewell(BackloggedConnections backlogs) {
    this.backlogs = backlogs;
  }

  /** Waits until the peers have consumed everything, or the grace is over. */
  void flush(Collection<Connection> which, long untilNs) {
    for (Connection connection : which) {
      while (!connection.isFlushed() && System.nanoTime() - untilNs < 0) {
        backlogs.move();
        Waiters.pause(this, GLANCE_NS);
      }
    }
  }

  /** Says goodbye to all and gives them a moment to read it. */
  static void sayGoodbye(Collection<Connection> which) {
    which.forEach(Connection::sayGoodbye);
    long until = System.nanoTime() + MOMENT_NS;
    while (which.stream().anyMatch(Connection::isReading) && System.nanoTime() - until < 0) {
      Waiters.pause(which, GLANCE_NS);
    }
  }
}
