// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import org.jspecify.annotations.Nullable;

/**
 * Who a node is, and whom it knows: what a {@link Companion} is told. Any thread, while it lives.
 */
public interface NodeIdentity {

  /** The node's id. */
  int nodeId();

  /** Its incarnation. */
  long incarnation();

  /** The cluster's name. */
  String cluster();

  /** The cluster key, or null if none is configured. */
  @Nullable ClusterKey clusterKey();

  /**
   * Where the node accepts links over a network, {@code host:port}, with the port that was bound;
   * empty if it does not.
   */
  String address();

  /** Where a peer is reached; empty if nowhere but on this host; null if it is no peer. */
  @Nullable String addressOf(int peer);

  /** The value of a configuration key; its default if not set. */
  String setting(ConfigKey key);
}
