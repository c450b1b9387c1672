// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.NodeConfig;
import java.util.List;

/**
 * What the suite has to know of a transport: how a node is configured for it, how its links are
 * broken, and what it must not leave behind. One object serves one test.
 */
public interface TransportUnderTest extends AutoCloseable {

  /** The transport's name, as in the configuration key {@code transport}. */
  String name();

  /**
   * Adds what a node of this transport needs: the transport itself, a listening address that is the
   * same each time the node is opened again, directories.
   */
  NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId);

  /**
   * The address under which {@code from} reaches {@code to}; a fault injecting proxy may lie behind
   * it. Empty if the transport needs none.
   */
  String address(int from, int to);

  /** Breaks every link between the two nodes now, whoever dialled it. */
  void cutLinks(int a, int b);

  /**
   * Cuts a node off from all others, or lets it back: while it is cut off, its links are down and
   * no new one comes up. What it does when it closes does not reach anybody, as if it had crashed.
   */
  void isolate(int node, boolean cutOff);

  /**
   * Makes the next links between the two nodes break by themselves after a random number of bytes
   * or a short random time; reproducible as far as the seed goes.
   */
  default void cutSoon(int a, int b, long seed) {
    cutLinks(a, b);
  }

  /** Files and sockets that are still there; asked for after all nodes have been closed. */
  default List<String> leftovers() {
    return List.of();
  }

  /** Gives back what the test itself holds: proxies, directories. Idempotent. */
  @Override
  void close();
}
