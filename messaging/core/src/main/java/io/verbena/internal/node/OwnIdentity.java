// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.NodeIdentity;
import org.jspecify.annotations.Nullable;

/** A node as its companions see it. */
final class OwnIdentity implements NodeIdentity {

  private final Switchboard board;

  OwnIdentity(Switchboard board) {
    this.board = board;
  }

  @Override
  public int nodeId() {
    return board.id();
  }

  @Override
  public long incarnation() {
    return board.incarnation();
  }

  @Override
  public String cluster() {
    return board.config().cluster();
  }

  @Override
  public @Nullable ClusterKey clusterKey() {
    return board.config().clusterKey();
  }

  @Override
  public String address() {
    return board.transports().address();
  }

  @Override
  public @Nullable String addressOf(int peer) {
    return board.peers().addressOf(peer);
  }

  @Override
  public String setting(ConfigKey key) {
    return board.config().setting(key);
  }
}
