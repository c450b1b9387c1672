// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * What lives beside a node's transports, under the node's identity: one-sided memory, say. A node
 * gets it by {@link io.verbena.Node#attach}, before it starts.
 */
public interface Companion {

  /**
   * The node's transports are open. By the thread that starts the node, once.
   *
   * @throws RuntimeException if it cannot be: the node does not start then, and is closed
   */
  void started(NodeIdentity node);

  /** The node forgets a peer, whose connection is closed. Any thread. */
  default void peerRemoved(int peer) {}

  /** The node has lost a peer, which is gone, for a reason that others know. Any thread. */
  default void peerGivenUp(int peer, String reason) {}

  /**
   * The node closes: its handlers have finished, its peers have heard goodbye, and its transports
   * close when this returns. Also of a node that never started. Once; must not throw.
   */
  void closing();
}
